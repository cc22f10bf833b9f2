/** Clauses that only talk or write about a thing, in English and Chinese. */
import { pattern } from '../../language/pattern.ts'

/** The text that follows ("translate this: …") is material; its words are no request. */
export const TEXT_WORK = pattern(String.raw`
    \b(?:translate|proofread|rephrase|paraphrase|rewrite|summari[sz]e|classify|correct|spell-?check|polish|
    analy[sz]e|grammar|sentiment|following (?:text|sentence|passage|paragraph|email|error)|answer|(?:this|the|
    my|following) (?:sentence|paragraph|text|headline|title|poem|passage|joke|slogan|tagline)|feedback)\b|翻译|
    润色|润饰|改写|校对|纠错|缩写|扩写|以下(?:内容|文字|文本|句子|段落)|下面(?:这|的)(?:段|句|话|文字|内容|
    句子)|这段(?:话|文字)|这句(?:话)?|造句|总结以下|病句|这个标题|这首诗|点评|广告语|评价一下`)

/** Text that a file is to contain ("make notes.md say: …") is not about the task either. */
export const INTO_FILE = pattern(String.raw`
    \b(?:say|says|saying|reads|add|append|insert|write|put|paste|include|mention)\b|写上|写入|写进|写|加上|添加|
    追加|插入|记上`)

/** What users say about themselves is no request. */
export const STATEMENT = pattern(String.raw`
    ^(?:honestly |well |btw )?i(?:'ve been|
    've always| have been| used| use| love| like| hate| miss| think| feel| felt| forgot| heard| bought| went| read| saw| enjoy| grew| remember| always|
    'm (?:writing|reading|learning|thinking)| am (?:writing|reading|learning|thinking))\b|^(?:my|a) (?:friend|
    colleague|boss|brother|sister|mom|dad|wife|husband)\b|^(?:我|俺)(?:一直|在)?(?:用.*年|喜欢|爱|讨厌|觉得|
    怀念|把.{0,8}忘|昨天看|听说|小时候|在写|在读|在学|朋友|同事|老板|爸|妈)`)

/** From here on the clause only talks about the thing. */
export const TALK = pattern(String.raw`
    \b(?:explain|describe|discuss|define|teach me|tell me (?:about|a|the story|how|why)|talk about|
    what do you think|your (?:opinion|thoughts|take)|pretend|imagine|brainstorm|suggest|recommend|translate|
    proofread|rephrase|paraphrase|say|spell|pronounce|in (?:german|french|japanese|spanish|english|chinese))\b|
    解释|讲讲|讲解|介绍|说说|聊聊|谈谈|科普|科普一下|讲一?下|怎么看|看法|推荐|建议|翻译|润色|润饰|起名|取名|
    造句|假如|假设|用(?:英语|日语|法语|英文|日文|中文)`)

/** With a kind of text as its object: writing. */
export const COMPOSE = pattern(String.raw`
    \b(?:write|draft|compose|rewrite|create|make|prepare|give|suggest|come up with|help|plan|design|improve|
    edit|polish|correct|fix|proofread|need|generate|summari[sz]e|tell)\b|写|起草|撰写|创作|编|拟|改|润色|润饰|
    制定|想|做|来|生成|总结|讲|给`)
