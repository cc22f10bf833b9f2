/** How both languages negate, ask, chat and join: the words by which a clause is read before any cue is heard. */
import { pattern } from './words.ts'

/** The text to be worked on ("translate this: …") is material; its words ask for nothing. */
export const TEXT_WORK = pattern(String.raw`
    \b(?:translate|proofread|rephrase|paraphrase|rewrite|summari[sz]e|classify|correct|spell-?check|polish|
    analy[sz]e|grammar|sentiment|following (?:text|sentence|passage|paragraph|email|error)|answer|(?:this|the|
    my|following) (?:sentence|paragraph|text|headline|title|poem|passage|joke|slogan|tagline)|feedback)\b|翻译|
    润色|润饰|改写|校对|纠错|缩写|扩写|以下(?:内容|文字|文本|句子|段落)|下面(?:这|的)(?:段|句|话|文字|内容|
    句子)|这段(?:话|文字)|这句(?:话)?|造句|总结以下|病句|这个标题|这首诗|点评|广告语|评价一下`)

/** So is what a file is to say ("make notes.md say: …"). */
export const INTO_FILE = pattern(String.raw`
    \b(?:say|says|saying|reads|add|append|insert|write|put|paste|include|mention)\b|写上|写入|写进|写|加上|添加|
    追加|插入|记上`)

/** A "no" that forbids nothing. */
export const POLITE_NO = pattern(
  String.raw`
    \bwhy (?:don't|not)(?: you| we)?\b|\b(?:can't|won't|couldn't|wouldn't) you\b|\bif you don't mind\b|
    \bno problem\b|\bno worries\b`,
  'gu',
)

/** From here on the clause says what not to do. */
export const NOT = pattern(String.raw`
    \b(?:do not|don't|dont|never|without|no need (?:to|for)|needn't|not (?:to|by|with|via|the|a)|instead of|
    rather than|avoid|stop|must not|mustn't|shouldn't|should not|no(?! longer| one)|not|skip|
    refrain from)\b(?! (?:forget|only|just|hesitate|worry|found|work|working|defined|responding|updating|
    showing|loading|a function))|(?:请勿|不要|不用|不必|不需要|不需|无需|无须|毋须|不想|不准|不许|不得|禁止|
    切勿|避免|没必要|(?<!是)不是(?!吗|否)|不打算|用不着|而不是|不再|停止|甭|勿)(?!忘)|
    (?<![分特类识区级性个差辨告道离送])别(?![人名的墅致忘扭])|不(?:改|动|写|碰|看|查|搜|上|开|打开|联|访问|修改|
    编辑|删|删除)(?![了到出起错])`)

/** And here it says again what to do. */
export const NOT_ENDS = pattern(String.raw`
    \b(?:but|just|only|instead|simply|rather)\b|而是|只(?:要|需|是|想|把|用|看)?|直接|仅仅?|就行`)

/** From here on the clause only asks. */
export const QUESTION = pattern(String.raw`
    ^(?:if you (?:could|were|had)|is|are|was|were|does|do (?:i|we|they|people)|did|has|have (?:i|we|they|you)|am i|will (?:it|there|they)|
    would it)\b|\b(?:how (?:do|does|did|can|could|would|should|to|is|are|come)|(?:what (?:is|are)|what's|
    whats)(?! (?:in|on|inside|under)\b)|what (?:does|do|did|would|kind|makes|happens|causes)|why|do (?:i|
    we) (?:need|have)|(?:am|can|could|may|must) i|should i|should we|is it (?:safe|possible|ok|okay|true|better|
    worth)|when should|which is better|who (?:invented|is|was|created)|difference between|pros and cons|ways to|
    tips (?:for|on|to)|advice (?:on|for|about)|best practices?|ideas? for|meaning of|what if)\b|怎么(?!样)|怎样|
    如何|为什么|为何|什么是|什么叫|啥是|是什么|是啥|什么意思|应不应该|该不该|要不要|是不是|算不算|值不值得|
    有什么(?:用|区别|不同|好|坏处|优点|缺点|作用|建议|意义|差别|技巧|方法)|有何|有哪些(?:方法|方式|办法|技巧|
    好处|优点|缺点|步骤|类型|种类|注意)|的?(?:原理|区别|优缺点|利弊|好处|发展史|历史)`)

/** These ask about the whole clause, also about what stands before them. */
export const QUESTION_OF_ALL = pattern(`
    是什么|是啥|什么意思|有什么(?:用|区别|不同|好|坏处|优点|缺点|作用|意义|差别)|有何|区别|优缺点|原理|利弊|
    好(?:不好)?吗$|还是.*好|值得(?:吗|学)|发展史|(?<=.{2})(?:可以|能)(?!帮|给我|不能)[^，]{1,10}吗$|有必要.*吗$|哪个(?:更?好|好用|更)|(?:更|
    比较)好吗|(?<=.)(?:需要|必须|应该|得先).{0,8}吗$|会.{1,14}吗$|用(?:什么|哪).*好$|是不是.*(?:习惯|好|坏|对|
    错|合理|必要)|发生(?:了|什么)|会怎(?:么)?样`)

/** Between two clauses. */
export const CONNECTOR = pattern(String.raw`
    \b(?:and then|then|and also|and|but|so|after that|afterwards|before|after|while)\b|(?<!合)并且?(?!发|行|购|
    列|入|非)|然后|接着|随后|(?<!不)再(?!见|次|也|说)|顺便|最后|同时|以及帮|(?=看看|看一下|看下|瞧瞧|告诉我|
    帮我看|讲讲|说说|按照?上面)|后(?=把|将|再|就)|之后`)

/** Politeness before the verb. */
export const OPENING = pattern(String.raw`
    ^(?:please|pls|plz|kindly|hey|hi|hello|ok|okay|so|also|first|next|finally|just|only|actually|maybe|quickly|
    go ahead(?: and)?|can you|can u|could you|would you(?: mind)?|will you|may i ask you to|i want you to|
    i need you to|i'd like you to|i want to|i need to|i'd like to|i would like to|we need to|you need to|
    your task is to|help me(?: to)?|help|let's|let us|try to|to|请问|请你?(?!求|教|假|客)|麻烦(?:你|您)?(?:帮我|
    帮忙)?|拜托|劳驾|帮我(?:把)?|帮忙|给我|你能不能|你能|您能|你可以|能不能|可不可以|可以|能否|能(?!源|力|量|耗|
    够)|我想让你|我想请你|我想要|我想|我要|我需要|需要|首先|先(?!生|进)|那么|那(?!个|些|里)|就|顺手|赶紧|快点|
    快(?!递|速|捷|照)|嗨|喂|嘿|好的)(?![a-z])[\s,，]*`)

/** What somebody tells of himself asks for nothing. */
export const STATEMENT = pattern(String.raw`
    ^(?:honestly |well |btw )?i(?:'ve been|
    've always| have been| used| use| love| like| hate| miss| think| feel| felt| forgot| heard| bought| went| read| saw| enjoy| grew| remember| always|
    'm (?:writing|reading|learning|thinking)| am (?:writing|reading|learning|thinking))\b|^(?:my|a) (?:friend|
    colleague|boss|brother|sister|mom|dad|wife|husband)\b|^(?:我|俺)(?:一直|在)?(?:用.*年|喜欢|爱|讨厌|觉得|
    怀念|把.{0,8}忘|昨天看|听说|小时候|在写|在读|在学|朋友|同事|老板|爸|妈)`)

/** From here on there is only talk about the thing. */
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

/** A whole message that only says: carry on. */
export const GO_ON =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|please|now|and|then|well|fine|right|just)[,.! ]*)*(?:go on|go ahead|carry on|continue|proceed|keep going|resume|do it|do that|do so|try again|retry|once more|again|next|ok(?:ay)?|yes|yeah|yep|sure|please)?(?: (?:please|then|now))?[.! ]*$|^(?:(?:好的?|行|可以|嗯|是的?|对|请|那就?|没错)[，,。！! ]*)*(?:继续(?:吧|做|执行|一下)?|接着(?:来|做|说)?|往下|开始吧?|就这样|照做|再(?:试|来)(?:一次|一下|一遍)?|重试|好的?|行|可以|是的?|对)?[吧。！! ]*$/u

/** How a message begins that drops what the last one was about. */
export const TAKES_BACK =
  /^(?:(?:no|ok(?:ay)?|actually|well|oh|hmm)[,.! ]+)*(?:never ?mind|nvm|forget (?:it|that|about (?:it|that))\b|cancel (?:it|that)\b|leave it|drop (?:it|that)\b|something else|(?:do|try) something else|instead)|^(?:(?:不|好|嗯|哦)[，,。！! ]*)*(?:算了|不用了|不要了|取消吧|别管(?:它|那个|这个)?了|换个任务|先不[弄做查开]了?|改成别的)/u
