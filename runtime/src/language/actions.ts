/** Whether a text asks for anything to be done, in whatever words: lists of verbs are never complete. */
import { fitting } from './fitting-pattern.ts'
import { asksForInformation, isQuestion } from './questions.ts'

const words = (list: string) => new Set(list.split(/\s+/).filter((word) => word !== ''))

/** These open a clause and are no verb of doing: pronouns, prepositions, conjunctions, auxiliaries, adverbs. */
const NOT_DOING = words(`
  a an the my our your his her its their this that these those some any all each every both no one two three four five
  i we you he she it they me us him them who whom whose which what when where why how whatever whoever whichever
  if unless because since while as although though whether than though except instead rather like
  in on at by for from to with without of about into onto over under between during after before until till per via
  and or but nor so then also too still yet just only even maybe perhaps already again now today tomorrow yesterday
  tonight soon later once twice next last same other another more most less least first second third
  am is are was were be been being do does did has have had can could will would shall should may might must
  not never there here please pls thanks ok okay yes yeah hi hello hey dear sorry good great nice fine sure
  something anything everything nothing someone anyone everyone nobody somebody
  best cheapest latest newest oldest usual everything rest monday tuesday wednesday thursday friday saturday sunday`)
/** These only ask for an answer. */
const READING = words(`
  read look check find show list search see summarise summarize sum explain compare translate describe analyse analyze tell
  give count calculate compute work figure identify extract collect gather recap brief walk skim scan catch quote review name
  know wonder want need think guess hear watch browse visit help let go get fetch pull open research investigate examine
  inspect retrieve access obtain display view print present detail recall locate discover monitor detect enumerate
  paraphrase rephrase simplify tally total average predict forecast diagnose validate cite review assess evaluate estimate rank  judge verify determine outline digest condense spot trace track lookup understand
  suggest recommend propose advise outline dig double-check warn fact-check proofread`)
/** "Give me a list" asks for an answer, "give Sam access" does not. */
const FOR_OTHERS =
  /^(?:(?:let|tell|remind|warn) (?!me\b|us\b|what|how|whether|if\b|about)\S+ .|give (?!me\b|us\b|out\b|the (?:gist|list|number|total|date|time|name)|that\b|what|how|whether|if\b|about|an?\b)\S+ .|(?:do|get|pull) (?:what|whatever|everything|as|all|it|that|the|rid|(?:me|us) (?:out|in|off)|(?:(?:me|us) )?an? (?:\S+ ){0,2}?(?:new|replacement|refund|viewing|visit|appointment|slot|table|room|seat|ticket|flight|ride|taxi|cab|haircut|quote for)s?)\b|open an? |pull (?:\S+ )?in\b|take care|say )/iu
/** No bare form of a verb. */
const NOT_BARE = /(?:ing|ed|(?<=\p{L}{3})(?<!rep|app|supp|comp|mult)ly|est|[^s]s|['’]\p{L}*)$/u
/** What follows a verb that wants something done. */
const OBJECT =
  /^(?:(?:the|an?|my|our|your|his|her|its|their|this|that|these|those|it|them|him|me|us|all|any|both|each|every\w*|whatever|whichever|whoever|what|who|one|two|three|some|to|for|with|on|in|up|off|out|down|back|over|from|into|at|by|as|if|about|under|again|away|through|only|just|not)\b|\p{Lu}|[#@"'“‘[\d]|v\d|\S+['’]s?\s|\p{L}+(?:s|ly)?$|\p{L}+ \p{L}+['’]s)/u
const BREAK = /[.!?;,\n()—–]+(?=\s|$)|\s(?:and|then|but|so|plus|or)\s/iu
/** These need no object: "please look and answer". */
const ALONE =
  /^(?:answer|reply|respond|confirm|apologi[sz]e|pay|book|order|post|sign|register|renew|submit|subscribe|apply|enrol|decline|accept|checkout|cancel|unsubscribe)$/iu
/** "The shop wants me to confirm": told, not asked. */
const ASKED_OF_ME = /\b(?:wants?|asks?|asked|told|expects?|needs?|reminded) (?:me|us|you) to \p{L}/iu
const FILLER =
  /^(?:(?:if (?:so|yes|not|ok|no|it is|it isn['’]t|it does|they (?:are|do|have)|there(?:['’]s| is| are))|otherwise|please|pls|plz|kindly|just|also|then|now|and|but|so|ok|okay|hey|hi|oh|well|first|next|finally|maybe|quickly|simply|go ahead and|(?:can|could|would|will|may) (?:you|u|we)(?: please)?|would you mind|i(?:'d| would)? (?:want|need|like)(?: you)? to|i want|let's|you (?:can|could|may|should)|don['’]?t|remember to|make sure to|try to|feel free to)\s+)+/iu

/** 发票, 付款方, 报告: nouns that contain a verb. */
const ZH_NOUNS =
  /发票|发现|发生|发展|发货|发言|发热|发件|开发|研发|批发|出发|沙发|头发|报告|报表|报价|报销单|日报|周报(?!.{0,6}[写存交发])|月报|海报|汇报人|付款[方单记]|回复了|回访|回单|回执|改动|修改[记了]|更新[了日]|交通|交易|交流|提醒我|提示|提到|提供|申请人|申请[状进]|预订[状信]|取消[了的]|加班|加入了|调研|调休单|送货|送达|写[了的]|通知[了里内]|转账[记了]|退款[进状]|记录|绑定成功|值得|续约|充电|汇报|行不行|可不可|错过|结清了|没打|开始|开会[了的]|开门时|打开|打卡|点评|处理[进状]|处理了|安排[了是]|存款|余额/gu
const ZH_DOING =
  /[发付改报拉删填回交挪退订设绑补批转传寄签投评买续送换拿调约存写取请结选接挂]|加|办|走一?下|删了|弄|搞|处理|安排|搞定|操作|说一声|说声|说[一下我]|宣布|公布|占[个位]|提个醒|提[交一]|申请|报名|取消|同意|驳回|通过|拒绝|确认|预约|挂[个号]|抢|登记|更新|新建|建[个一]|创建|开[通个一启]|关[掉了闭]|充|缴|下单|点[个一份]|叫[个一]|告诉(?!我)|告知|通知|提醒(?!我)|跟\S{1,8}[讲说]|问[一下问]|留[个言]|记[一下到上在]|放[到进上]|移[到动]|照做|照办|清[掉理空]|收[藏下]|点赞|关注|退出|授权|共享|分享|上传|下载|安装|运行|重启|修[一改复]|停[掉了用]|给(?!我)\S{1,8}[看用写]|给(?![我你咱])\S{1,10}[开加发办弄改订交付转打寄设配调换续充回留约报]|做[一个份]|打[个款钱]|选[个一]/u
/** In one clause with a question or a look: something is to be done as well. */
const ZH_HANDS_ON =
  /把(?!\S{0,20}(?:看|念|读|讲|打开))|将|给(?!我)|就|跟(?!我)|[回发转交付退][他她](?!没|了)|帮\S{0,6}(?:订|买|接|选|挂|付|交|发|改|填|报|办|走)|哪家\S{0,4}[订买选]|里的\S{0,4}删/u
const ZH_BREAK = /[，。；！？、,;!?\n]/u
const ZH_ASKING =
  /多少|什么|啥|哪|(?<![那这好])几[个封笔条份天点号]|[吗么嘛]$|谁|是否|怎么|为何|有没有|是不是|对不对|看看|看一?下|查一?[下查]|查查|核一?下|核对|你核|打开看|跟我[说讲]|总结|概括|归纳|告诉我|列出|列一下|解释|翻译|比较|分析|讲讲|念|读|瞄|找[一找]?[下找]|梳理|汇总|说说|给我[看讲说列]/u

const HAN = /\p{Script=Han}/u

export function asksForAction(text: string): boolean {
  return fitting(text, HAN).test(text) ? asksInChinese(text) : asksInEnglish(text)
}

/** "Catch me up", "Any codes today?", "Q3 figures?" */
const OPENS_READING = new RegExp(
  `^\\W*(?:(?:please|can you|could you|any|anything|quick|short)\\s+)*(?:${[...READING].join('|')}|any|anything)\\b|\\?\\s*$`,
  'iu',
)

/** True of words that ask for an answer only. */
export function asksOnlyForAnswer(text: string): boolean {
  return (asksForInformation(text) || fitting(text, OPENS_READING).test(text)) && !asksForAction(text)
}

const VERB_FIRST = /^(\p{L}[\p{Ll}'’]+)(?=$|[\s:])[\s:]*(.*)$/su

function asksInEnglish(text: string): boolean {
  return text.split(/(?<=[.!?\n])\s+/).some((sentence) => {
    const question = isQuestion(sentence)
    if (!question && fitting(sentence, ASKED_OF_ME).test(sentence)) return true
    return sentence.split(fitting(sentence, BREAK)).some((clause, i) => {
      const bare = clause.trim()
      const rest = bare.replace(fitting(bare, FILLER), '')
      if (fitting(rest, FOR_OTHERS).test(rest)) return true
      // The first clause of a question asks; a later one may tell: "… and mail it to Jo?"
      if (question && i === 0) return false
      const [, verb, object = ''] = fitting(rest, VERB_FIRST).exec(rest) ?? []
      if (verb === undefined) return false
      const word = verb.toLowerCase()
      if (NOT_DOING.has(word) || READING.has(word) || fitting(word, NOT_BARE).test(word)) return false
      return object.trim() === '' ? ALONE.test(verb) : fitting(rest, OBJECT).test(object.trim())
    })
  })
}

function asksInChinese(text: string): boolean {
  return text.split(ZH_BREAK).some((clause) => {
    const rest = clause.replace(ZH_NOUNS, ' ')
    return ZH_DOING.test(rest) && !(ZH_ASKING.test(rest) && !ZH_HANDS_ON.test(rest))
  })
}
