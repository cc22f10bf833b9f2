/** Normalizes Chinese and Japanese text: PDFs and input methods encode the same visible text in different ways. */

/**
 * The CJK Radicals Supplement in pairs: a radical and the character it looks like. PDF fonts map whole characters to
 * these code points, and NFKC converts only two of them (it does convert the Kangxi radicals). Source: Unicode
 * EquivalentUnifiedIdeograph.
 */
const PAIRS =
  '⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺑尣⺒巳⺓幺⺔彑⺕彐⺖忄⺗㣺⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺟母⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪疋⺫目⺬示⺭礻⺮竹⺯糹⺰纟⺱罓⺲罒⺳㓁⺶羊⺷羊⺸羊⺹耂⺺肀⺻聿⺼肉⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻇角⻈讠⻉贝⻊足⻋车⻌辶⻍辶⻎辶⻏阝⻐钅⻑長⻒镸⻓长⻔门⻕阜⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻞食⻟飠⻠饣⻡首⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟'
const LIKE = new Map(PAIRS.match(/../gu)?.map((pair) => [pair.charAt(0), pair.charAt(1)]))
const RADICALS = /[\u2e80-\u2eff\u2f00-\u2fdf]/gu

/** Replaces radicals by the characters they look like: ⺠ and ⼈ become 民 and 人. */
export function unifyRadicals(text: string): string {
  return text.replace(RADICALS, (radical) => LIKE.get(radical) ?? radical.normalize('NFKC'))
}

const CJK =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\u3000-\\u303f\\uff00-\\uffef]'
const SPACE_BESIDE = new RegExp(`(?<=${CJK})\\s+|\\s+(?=${CJK})`, 'gu')

/** Removes white space, including line breaks, next to CJK characters: 接受 200 次 becomes 接受200次. */
export function closeCjk(text: string): string {
  return text.replace(SPACE_BESIDE, '')
}
