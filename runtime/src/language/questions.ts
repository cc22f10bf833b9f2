/** How questions are asked. */
import { fitting } from './fitting-pattern.ts'
import { pattern } from './pattern.ts'

const EN_QUESTION =
  /^\W*(?:what|who|whom|whose|which|when|where|why|how|did|does|is|are|was|were|has|have|am|was|wer|wie|wann|wo)\b(?![^?]*\b(?:can|could|would|will) you\b)/i

/** Chinese asks and tells with the same words; these tell the two apart. */
const ZH_QUESTION = /多少|什么|哪|(?<![那这好])几[个封笔条份天]|吗|谁|是否|怎么|为何/u

const READING_REQUEST =
  /\b(?:read|look|check|find|show|list|search|see|summari[sz]e|explain|compare|translate|describe|analy[sz]e|tell me|give me|zeig|lies|fasse?|was|montre|lis|résume|muéstrame|lee|resume)\b|[看查读找]|总结|概括|归纳|告诉我|列出|解释|翻译|比较|分析/iu

export function isQuestion(sentence: string): boolean {
  return fitting(sentence, EN_QUESTION).test(sentence) || fitting(sentence, ZH_QUESTION).test(sentence)
}

/** True of words that only ask for information. */
export function asksForInformation(text: string): boolean {
  return isQuestion(text) || fitting(text, READING_REQUEST).test(text)
}

/** From here on a clause only asks. */
export const QUESTION_START = pattern(String.raw`
    ^(?:if you (?:could|were|had)|is|are|was|were|does|do (?:i|we|they|people)|did|has|have (?:i|we|they|you)|am i|will (?:it|there|they)|
    would it)\b|\b(?:how (?:do|does|did|can|could|would|should|to|is|are|come)|(?:what (?:is|are)|what's|
    whats)(?! (?:in|on|inside|under)\b)|what (?:does|do|did|would|kind|makes|happens|causes)|why|do (?:i|
    we) (?:need|have)|(?:am|can|could|may|must) i|should i|should we|is it (?:safe|possible|ok|okay|true|better|
    worth)|when should|which is better|who (?:invented|is|was|created)|difference between|pros and cons|ways to|
    tips (?:for|on|to)|advice (?:on|for|about)|best practices?|ideas? for|meaning of|what if)\b|怎么(?!样)|怎样|
    如何|为什么|为何|什么是|什么叫|啥是|是什么|是啥|什么意思|应不应该|该不该|要不要|是不是|算不算|值不值得|
    有什么(?:用|区别|不同|好|坏处|优点|缺点|作用|建议|意义|差别|技巧|方法)|有何|有哪些(?:方法|方式|办法|技巧|
    好处|优点|缺点|步骤|类型|种类|注意)|的?(?:原理|区别|优缺点|利弊|好处|发展史|历史)`)

/** These ask about the whole clause, including the words before them. */
export const QUESTION_ABOUT_CLAUSE = pattern(`
    是什么|是啥|什么意思|有什么(?:用|区别|不同|好|坏处|优点|缺点|作用|意义|差别)|有何|区别|优缺点|原理|利弊|
    好(?:不好)?吗$|还是.*好|值得(?:吗|学)|发展史|(?<=.{2})(?:可以|能)(?!帮|给我|不能)[^，]{1,10}吗$|有必要.*吗$|哪个(?:更?好|好用|更)|(?:更|
    比较)好吗|(?<=.)(?:需要|必须|应该|得先).{0,8}吗$|会.{1,14}吗$|用(?:什么|哪).*好$|是不是.*(?:习惯|好|坏|对|
    错|合理|必要)|发生(?:了|什么)|会怎(?:么)?样`)
