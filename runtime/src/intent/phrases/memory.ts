/** Requests to remember, recall or forget. */
import { type Cue, words } from './words.ts'

const REMEMBER = words({
  plain: `
    ^(?:(?:you )?(?:must|should|need to) )?(?:always )?(?:remember|rmb|memori[sz]e)\\b(?! (?:when|the time|
    back|how (?:we|it|good)))|\\b(?:please|just|and|to|also|pls|you|but) (?:remember|
    memori[sz]e)\\b(?= (?:that|this|these|my|i\\b|i'm|i've|our|we|the (?:fact|url|name|address|number|
    phrase|word|following)|me\\b)|:)|\\bremember (?:that|this) (?:for|about)|\\b(?:keep|bear|hold) (?:it |
    this |that )?in mind\\b|^(?:don't|do not|never|dont) (?:ever )?forget(?! to)|\\bnever forget (?:that|my|
    i\\b|our)|\\bdon't forget (?:that|my|i\\b|i'm|our|about my)|^(?:make|take|
    keep) (?:a )?(?:mental )?note\\b|^note(?: down)?(?: that|:| my| for| i)\\b|\\bjot (?:it |this |
    that )?down\\b|^(?:for )?(?:your |future )(?:reference|information)\\b|\\bfrom now on\\b|
    ^going forward\\b|^(?:fyi|for the record)\\b|^in (?:the )?future\\b|^next time\\b|^whenever i\\b|
    ^henceforth\\b|^note to self\\b|\\b(?:know|need|use|want) (?:this|that|it) (?:again )?later\\b|
    \\b(?:keep|save|store|note|hold on to|write) (?:that|this|it|these|them)(?: down)? for (?:later|future|
    next|the future|reference)|\\b(?:for|in|during) (?:all |any |my |our )?(?:future|later|our next|
    next) (?:conversation|chat|session|reference|use)s?\\b|\\b(?:add|save|put)\\b.*\\b(?:my|
    your) (?:profile|preferences|notes about me)\\b|\\b(?:add|save) to my (?:profile|preferences)|
    \\bremember (?:it|this|that)(?: please| for me| ok| well)?$`,
  zh: `
    记住|记下(?!标题|结果|价格|数据|内容|它们|来的|每)|记着|牢记|谨记|铭记|记好|记牢|记一下|记一记|帮我记|
    记到(?:心里|记忆|脑)|(?:别|不要|不许|不能)(?:再)?(?:忘了?|忘记)(?:我|，|,|:|这|了，|啦|关于|哦)|(?:别|
    不要)忘(?:了|记)?$|^(?:以后|今后|从现在起|从今往后|从此|下次|下回|往后|将来)|remember ?一下|请记得我|
    ^记得(?:我|以后|每次|下次|他|她|明天|周|这个|，|,)|记得.{0,12}(?:以后|每次|下次)|存(?:到|进|
    入)(?:你的)?(?:长期)?记忆|以后.{0,4}用(?:得)?到|长个记性|备忘|^备注|记在(?:心|脑|记忆)|(?:加|存|写|
    记)(?:到|进|入)我的(?:资料|档案|偏好|个人信息)|以后(?:都|对话|回答|聊天|就|请|一律|回复)|下次(?:记得|请|
    直接|就)|往后都`,
})

const REMEMBER_TO = words({
  plain:
    "\\b(?:remember|don't forget|do not forget|be sure) to\\b|\\bremind me to\\b|\\b(?:store|save|keep|hold) (?:this|that|it) (?:for me|somewhere safe)\\b",
  zh: '记得|别忘了|不要忘了|提醒我|帮我存|^存一下',
})

const RECALL = words({
  plain: `
    \\b(?:do|did|can|would|could) you (?:still |even |happen to |at all )?(?:remember|recall)\\b|
    \\byou remember\\?|\\bwhat (?:do|can|did) you (?:know|remember|recall|have stored|
    have saved)(?: about| of| from)?\\b|\\bwhat (?:did|had|have|was it) (?:i|we)(?: \\w+)? (?:tell|told|say|
    said|mention|ask|decid|agree|talk|discuss|promise|call)|\\b(?:did|have|had) i (?:ever |already |
    previously )?(?:tell|told|mention|mentioned|say|said|give|given|share|shared)\\b|\\bi (?:already |once |
    previously |just )?(?:told|mentioned|said|gave|shared)(?: it| that| this)?(?: to)? (?:you|earlier|
    before|last|yesterday|about)|\\bas i (?:said|told|mentioned)|\\bwhat i (?:said|told you|mentioned)|
    \\b(?:notes?|anything|something|details?|info) (?:on|about) (?:me\\b|my (?!code|file|folder|project))|
    \\bremind me (?:what|who|where|when|which|how|of|about)\\b|^recall\\b|\\brecall (?:what|my|our|the)\\b|
    \\bwhat (?:preferences|facts|details|things|info|information|memories)\\b.*\\b(?:stored|saved|remember|
    know|about me|of mine|have on me)|\\bwhat(?:'s| is| was| are| were) my (?:name|favou?rite|birthday|
    nickname|partner's|wife|husband|partner|dog|cat|kid|son|daughter|anniversary|address|phone|job|
    preferred|preference|usual|email|boss|manager|hometown|hobb|allerg)|\\bwho am i\\b|\\bdo you (?:still )?know (?:what|who|where|when|which|how) (?:my|i)\\b|\\b(?:do|
    did) you (?:still )?(?:have|keep) my\\b|\\bon file for me\\b|\\b(?:what|who|where|
    when)(?:'s| is| was| are| were) (?:the )?(?:\\w+ )?(?:name|date|number|colou?r|address|birthday|title|
    model|brand|size) of my\\b|\\bmy\\b.*\\bagain$|\\bmy favou?rite \\w+(?: again)?\\?|
    \\bwhich \\w+ did i (?:say|tell|mention)|\\bwhere did i (?:say|tell)|\\bwhen did i (?:say|tell)|
    \\b(?:that )?i (?:mentioned|told you|asked you to remember|gave you|shared with you|brought up|
    (?:recommended|suggested|showed|sent|described|introduced)(?: to)? you)\\b|\\b(?:i've|i have|have i|
    we've) (?:told|mentioned|shared|discussed|given)\\b|\\byou(?:'ve| have)? (?:learned|learnt|know|
    gathered|stored|saved|kept|noted) (?:about|on|of|from) (?:me|my|us|our)\\b|\\b(?:last time|previously|
    earlier) (?:i|we) \\w+`,
  zh: `
    我.{0,3}(?:给|发|教)过你|关于我.{0,8}(?:记录|笔记|信息|资料|记忆)|你.{0,2}还?(?:存|留|记)着|你对我的|(?:有没有|有)记.{0,3}我|
    我.{0,4}(?:推荐|介绍|描述|发|分享)(?:给|过)你|我.{0,3}之前说|你.{0,3}(?:存|记|保存|
    记录)了?.{0,8}(?:关于)?我|(?:上个月|去年|上周|前天|昨天|上次|之前|以前|前阵子|那天|早些时候).{0,3}(?:我|
    咱).{0,6}(?:说|提|讲|告诉|聊|给|发|约|定)|我.{0,3}(?:之前|上次|以前|曾经|早就|刚才|昨天).{0,4}(?:给|发|
    跟|和|交)你?|你(?:了解|学|掌握|记录|收集)到?的?.{0,4}我|还记得|记不记得|记得(?:吗|么|不)|你记得|
    记得.{0,20}[吗么不]|我.{0,4}(?:之前|上次|以前|刚才|曾经|上回|昨天|前几天|上周|早前|先前).{0,8}(?:说|提|
    讲|告诉|聊)|(?:之前|上次|以前|刚才|上回|早前|先前).{0,3}(?:我|咱|我们|咱们).{0,6}(?:说|提|讲|告诉|聊|定|
    决定|约)|我(?:有没有|是不是|有)?(?:跟你|和你|对你|给你|向你)(?:说|提|讲|聊)过?|告诉过你|(?:我|
    咱).{0,6}(?:说|提|讲|告诉|交代|嘱咐)过|回忆一?下|回想一?下|你.{0,2}(?:知道|了解|记得|记住|记了|保存|
    存).{0,3}我|我(?:的|家)?(?:对象|老婆|老公|女朋友|男朋友|女友|男友|儿子|女儿|孩子|妈妈?|爸爸?|狗|猫|老板|
    经理|同事|公司|车|医生)?(?:叫|姓|的名字)(?:什么|啥|是)|我最?(?:喜欢|爱|讨厌|常|不喜欢).{0,8}(?:是什么|
    是啥|是哪|什么$|哪个|谁)|我的(?:生日|名字|偏好|爱好|住址|纪念日|昵称).{0,4}(?:是什么|是哪|是多少|是几|
    哪天|啥|什么时候)|提醒我一?下我|来着`,
})

const FORGET = words({
  plain: `
    ^(?:please )?forget (?:my|about my|about me|that i|everything|what i|all|our|whatever|the (?:fact|thing|
    note|password|address))|\\b(?:you can|please|should|to) forget (?:my|about my|that i|everything|what i|
    all)|^(?:stop|quit|don't|do not) (?:remember|memori|track)(?:ing|e)?\\b|\\bno longer remember\\b`,
  zh: `
    忘掉|忘记(?:我|关于|之前|刚才|掉|这个|所有)|忘了(?:我(?:的|之前|以前|说)|关于|之前|它吧)|你?可以忘(?:了|
    记|掉)|忘了吧|把.{0,14}忘(?:了|掉|记)|不要再?记(?:住|录|得)?|别再?记(?:住|录|得)?`,
})

const MEMORY = words({
  plain: `
    \\b(?:your|long-term|to|from|into|in|the agent.s|our) memor(?:y|ies)\\b(?! (?:leak|usage|card|alloc|
    footprint|consum))|\\bmemories\\b|\\bmemory (?:store|bank|of|entry|entries|about)\\b|
    \\b(?:you )?(?:remember|stored|know|saved) about (?:me|my|our|us)\\b|\\byou(?:'ve| have)? (?:remember|
    stored|saved)\\b`,
  zh: '记忆(?!力|法|卡|曲线|深刻|犹新|棉|宫殿)|备忘|你(?:记得|记住|保存|存储|知道)的',
})

const KEEP = words({
  verbs: `
    save|store|add|commit|write|put|delete|erase|clear|wipe|update|search|list|show|check|remove|record|
    dump|print|purge|drop|look|find|reset|correct|edit|tell|export|query|keep|recall|what`,
  zh: '存|保存|写|加|添加|删|删除|清除|清空|清掉|更新|搜|查|找|列|看|显示|移除|抹掉|修改|改|重置|调取|检索|导出|告诉|有哪些|有什么',
})

const STORE_FACT = words({
  plain: `
    \\b(?:store|save|record|log|keep|register|file away|write down|
    note)\\b(?: down)?(?: the| my| our)? (?:fact|preference|name|birthday|info|information|detail|number|
    that (?:my|i|our|we))`,
  zh: '(?:保存|存|记录)(?:一下|下)?(?:这个|这条|我的|我)(?:偏好|信息|事实|喜好|设定|习惯)',
})

export const MEMORY_CUES: readonly Cue[] = [
  { name: 'remember', all: [REMEMBER], scope: 'withNegated' },
  { name: 'recall', all: [RECALL], scope: 'withQuestions' },
  { name: 'forget', all: [FORGET], scope: 'withNegated' },
  { name: 'the memory', all: [KEEP, MEMORY], scope: 'withQuestions' },
  { name: 'store a fact', all: [STORE_FACT] },
  { name: 'remember to', all: [REMEMBER_TO], scope: 'withNegated', weak: true },
]
