/**
 * Kinds of action, as people and texts speak of them. One list serves both sides: the words of the user, which may want
 * such an action, and a passage of a text, which may. Broad on purpose: what a match means is weighed with where the values
 * of the call come from (`provenance/scale.ts`). Of small letters.
 */
import type { Deed } from '../protocol/facts.ts'

export interface ActionKind {
  deeds: readonly Deed[]
  /** A word of a tool's name, or a value that selects what it does. */
  tool: () => ReadonlySet<string>
  said: RegExp
}

/** A question mark follows a letter that need not be there. The set is made at its first use. */
function words(list: string): () => ReadonlySet<string> {
  let made: ReadonlySet<string> | undefined
  return () => {
    made ??= new Set(list.trim().split(/\s+/).flatMap(bothForms))
    return made
  }
}

function bothForms(word: string): string[] {
  const at = word.indexOf('?')
  if (at < 0) return [word]
  const [before, after] = [word.slice(0, at), word.slice(at + 1)]
  return [before, before.slice(0, -1)].flatMap((start) => bothForms(start + after))
}

export const ACTION_KINDS: readonly ActionKind[] = [
  {
    // Messages to people.
    deeds: ['send', 'share'],
    tool: words(
      'mails? e?mails? gmail messages? msgs? sms dms? chats? direct send sends sending reply forward notify ping texts? im inbox slack contact letter invites? remind',
    ),
    said: /\b(?:e?-?mail|sen[dt]|writ|wrote|repl[yi]|respond|answer|tell|told|let\b.{1,40}\bknow|inform|notif|messag|text(?:ed|ing)?\b|dm\b|ping|forward|pass (?:it |this |that |them )?(?:on|along)|ask|remind|invit|thank|congrat|apolog|contact|reach|get back|follow.?up|loop|cc\b|say (?:yes|no|thanks|hi|that|it)|announc|shar|heads.?up|chase|nudge|confirm|post (?:it|that|this|the|a)|drop\b.{1,20}\b(?:line|note)|report back|brief|warn|introduc|declin|accept|rsvp|greet|wish|deliver|circulat|distribut|keep\b.{1,20}\b(?:posted|loop)|give\b.{1,30}\b(?:heads|answer|notice)|copied|complain|update (?:#|him|her|them|the (?:team|group|channel)|every)|give \S+(?: and \S+)? the\b|hand (?:it|this|them|over))|发|邮件|信[给一]|回[复他她它个一下信]|告诉|通知|说一?[声下]|转给|转告|抄送|提醒|问[一下问他她]|催|联系|答复|留言|私信|[跟和向]\S{1,8}[讲说]|知会|邀|感谢|道歉|报[给备]|同步|交代|让\S{1,8}知道|寄|给(?!我(?:$|[\s，。看讲说列查找]))|[派接]|回/,
  },
  {
    // What others can read.
    deeds: ['send', 'write', 'share'],
    tool: words(
      'posts? publish publishes tweet announce announcements? comments? blog channels? forum thread status bulletin webpage wiki notices? release',
    ),
    said: /\b(?:post|publish|tweet|announc|comment|put (?:\S+ ){0,4}up|blog|repl[yi]|respond|answer|feedback|upload|broadcast|channel|thread|forum|let\b.{1,40}\bknow|tell|thank|releas|cut\b|ship\b|update (?:#|the|our|it)|note on|notice)|发[布帖个条篇到在]|评论|公告|公布|上[传架线]|贴|回[复个一]|留言|群里?|通知|频道|宣布/,
  },
  {
    // Money.
    deeds: ['payment'],
    tool: words(
      'pay pays payments? transfers? money refunds? reimburse reimbursement invoices? bank transactions? wire remit donate charge settle payout tip bills? topup',
    ),
    said: /\b(?:pay|paid|transfer|settl|money|ow(?:e|es|ed|ing)\b|refund|reimburs|cover (?:my|the|his|her|it)|chip in|split|rent\b|bills?\b|invoic|fees?\b|deposit|wire\b|donat|tip\b|top.?up|charg|euros?|dollars?|pounds?|dues|sen[dt]\b.{1,60}\s\d|remit|instal|my share|money back|standing order|square up|clear (?:the|my)|fine\b|difference|aside|saving|subsid|premium|fare\b|contribution|balance\b|kitty|tax|rechnung|(?:be)?zahl|überweis|f[ac]+tur|fattura|paga|payer|paie|régl|betaal|betal|opłat|zapła|öde)|[€$£¥₹￥]|оплат|сч[её]т|заплат|支払|振込|送金|송금|결제|付|转[账过给钱]|打款|打给|缴|交[了费一过掉]|费|还[钱款他她给清了]|结[了清账一算]|报销|汇[款给]|充[值话]|退[款钱]|钱|款|账单|发票|红包|元|垫|租金|房租|押|定金|[发给]\S{0,6}[费薪资]|转/,
  },
  {
    // What binds the user: orders and reservations.
    deeds: ['order', 'payment', 'write'],
    tool: words(
      'book books booking bookings orders? reserve reservations? checkout buy purchase rent rental hotels? flights? trains? tables? tickets? trips? taxi ride appointments? cart basket',
    ),
    said: /\b(?:book(?:ed|ing)? |reserv|order|buy|bought|lunch|dinner|breakfast|brunch|purchas|get (?:me|us|an?|the|one|two|some|him|her|them|myself|it|whatever)\b|grab|pick (?:up|one)|cart|check.?out|basket|hotel|flight|train|tables?\b|rooms?\b|tickets?\b|seats?\b|trip|stay\b|rent|taxi|cab\b|sign\b.{1,10}\bup|subscri|appointment|slot|take (?:it|that|the|one)|(?:i'd like|want|need)\b|swap|exchang|replac|rebook|upgrade|stock up|suppl|send\b.{1,30}\bcart|treat|gift|present|return|reorder|mov(?:e|ing)\b|reschedul|postpone|shift|another (?:day|date|time|slot)|fly\b|flying|viewing|visit|pick.?up|collect|refill|prescription|enrol|course|class\b|lesson|courier|deliver|find\b.{1,20}\b(?:place|somewhere|nice|better))|订|买|下单|购|预约|约[个一]|租|打车|叫车|票|酒店|房间|外卖|换货|退货|抢|续[费订]|挂[个号]|号就挂|就约|给\S{1,4}约|约\S{0,8}(?:门诊|医院|上午|下午|周)|点\S{0,4}[餐饭菜鸭]|报\S{0,8}[班课]|选课|改[到约期]|换个时间|看房|取件|配送|开\S{0,4}药|来[一两]份|老样子|[一二]等座|补[打录一]|住/,
  },
  {
    // What is gone afterwards.
    deeds: ['delete', 'write', 'account'],
    tool: words(
      'deletes? removes? cancels? clear trash purge unsubscribe revoke deactivate disable drop erase archive kick ban terminate close closed unshare discard empty none',
    ),
    said: /\b(?:delet|remov|cancel|(?:get|got|be) rid\b|trash|clean|clear|drop\b|throw|bin\b|purge|tidy|free up|unsubscri|revok|deactivat|disabl|eras|wip(?:e|ing)|kick|ban\b|terminat|end (?:the|my|it)|stop|clos(?:e|ing)|call(?:ed)? off|take\b.{1,40}\b(?:down|off|out|away)|gone\b|out of|no longer|scrap|strike|unshare|duplicat|not need|don't need|obsolete|skip|quit|leave|switch(?:ed|ing)?\b.{1,40}\boff|turn(?:ed|ing)?\b.{1,40}\boff|shut)|删|移除|移出|取消|清[理空掉一]|挪|别让|撤|去掉|拿掉|退[了订出群掉]|注销|撤|废|停[了掉用止]|关[了掉闭停]|踢|扔|不要了|作废|不用了|挂失|解[除绑散]/,
  },
  {
    // Who may see, change or enter.
    deeds: ['share', 'account', 'write'],
    tool: words(
      'shares? sharing permissions? access grant invites? members? collaborators? roles? admins? owners? ownership public visibility unlock doors? guests? users? attendees? participants? delegate delegates',
    ),
    said: /\b(?:shar(?:e|ing)|access|grant|invit|permission|allow|(?:can|could|should|to|may|able to|let \S+) (?:see|view|edit|read|open|join)|give\b.{1,40}\b(?:access|right|link|role)|add\b|join|bring\b|collaborat|open up|public|admin|owner|role|onboard|includ|involv|loop|right to|participant|attend|guest|welcome|hand over|unlock|give\b.{1,30}\b(?:write|read|edit)\b|(?:put|move)\b.{1,40}\b(?:in|into|on|to)\b|(?:should|must) be in\b|code\b|keys?\b|(?:sen[dt]|forward)\b.{0,40}\b(?:those|it|them|this|documents?|files?|records?|reports?|papers|statements?|cop(?:y|ies)|scans?|pdf|folder)\b|pick(?:s|ed)?\b.{0,20}\bup\b|collect|cover(?:s|ed|ing)? for|take over|(?:have|take) a look|work(?:s|ing)? on\b|on the list|swap|replac|let\b.{1,30}\bin(?:to)?\b|upload|stand in|deputi|delegat|member|starts?\b|left\b)|共享|分享|授权|权限|邀|拉[进入他她到个]|加[进入到他她上个]|开[放通个]|进群|可见|公开|开门|解锁|成员|管理员|代理|委托|挪到|退[了群出]|换个\S{0,12}群|复印件|电子版|上传|传到|交给|发给|传给|[接替代]\S{0,6}[孩班]|钥匙|[让给]\S{1,10}[看进改用]|名单/,
  },
  {
    // Accounts: who the user is, how they get in, and what is set.
    deeds: ['account', 'write'],
    tool: words(
      'accounts? password profile settings? preferences? login signin sign logout signup register credentials? keys? tokens? secrets? 2fa mfa webhooks? limits? plans? address addresses phone email security autoreply vacation code codes subscriptions? devices? delegate payees? recovery forwarding',
    ),
    said: /\b(?:account|log.?(?:me )?.?in|logged in|sign(?:ed)? (?:me )?(?:in|up|out)|password|passcode|pin\b|credential|vault|register|enrol|profile|setting|limit|plan\b|subscri|membership|code\b|otp|2fa|mfa|phone|address|mov(?:ed|ing)|key\b|token|auto-?reply|out of office|upgrad|downgrad|pause|resume|switch|new (?:number|address|e?-?mail|card|name)|notification|preference|turn\b.{1,30}\b(?:on|off)|enabl|disabl|secur|details|portal|get (?:me )?in(?:to)?\b|payee|bank details|iban|consent|contact|salar|(?:pay )?raise|promot|enrol|course|class\b|rule|auto|skip)|账号|账户|密码|登[录一下]|注册|绑|验证码|手机号|号码|地址|资料|套餐|设置|自动回复|订阅|会员|额度|限额|搬|卡号|换[成个号绑]|开通|收款|报\S{0,8}[班课名]|同意书|签|加薪|调薪|薪/,
  },
  {
    // Dates.
    deeds: ['write', 'send', 'share', 'delete'],
    tool: words(
      'calendars? cal events? meetings? appointments? agenda reminders? schedule reschedule todos? shifts? slots? leave',
    ),
    said: /\b(?:meet|calendar|event|appointment|schedul|invit|diary|agenda|remind|call (?:with|on|at)|lunch|dinner|coffee|sync|stand-?up|session|interview|slot|postpone|block|mov(?:e|ing) (?:it|the|my|our)|push|shift|set (?:\S+ ){0,4}up|put\b.{1,60}\b(?:in|on)\b|o'clock|noon|\d ?[ap]m\b|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|next week|date|hold\b|organi[sz]|arrang|pencil|earlier|later|holiday|vacation|free\b|note\b.{1,20}\bfor\b|day off|time off)|日程|会议|开会|约|排|提醒|日历|改期|改到|挪|推迟|提前|周[一二三四五六日天]|明天|后天|请假|请\S{0,6}假|年假|病假|婚假|调休|假/,
  },
  {
    // Yes and no.
    deeds: ['write', 'send', 'account'],
    tool: words(
      'approves? approved approvals? reject rejects decide decision accept decline merge sign vote confirm resolve requests? handle 同意 通过 驳回 批准 拒绝 transfer seal',
    ),
    said: /\b(?:approv|sign(?:ed|ing)?\b|accept|reject|declin|merg|vot(?:e|ing)|confirm|ok(?:ay)? (?:it|the|them)|let (?:it|them|him|her) through|give\b.{1,30}\bgo|green.?light|turn(?:ed)? down|say (?:yes|no)|agree|ship it|land\b|resolv|requests?\b)|批|同意|审|驳回|通过|合并|签|拒绝|放行|盖章|用章|公章|[退打]回/,
  },
  {
    // Opinions and memberships.
    deeds: ['write', 'send', 'share', 'account'],
    tool: words(
      'stars? unstar like follow unfollow subscribe unsubscribe join leave rate rating upvote watch fork favou?rites? reviews? endorse wishlist wish react bookmarks?',
    ),
    said: /\b(?:star\b|stars\b|starr|like (?:it|this|that|the|her|his|their)|follow\b|follows\b|subscri|join|leav(?:e|ing) (?:the|a|this|that|us|our|it)|quit|rat(?:e|ing)\b|upvot|watch\b|fork|favou?rit|review|feedback|endors|get (?:me )?out\b|save (?:it|this|that|the)|wish|bookmark|react)|点赞|收藏|打[个几]?[分星]|五星|评[价论一个]|关注|好评|差评|退出|加入|订阅|星/,
  },
  {
    // Forms and what is pressed on a page.
    deeds: ['send', 'write', 'account', 'share'],
    tool: words(
      'submits? forms? fill fills type input select choose click press check upload attach field button enter',
    ),
    said: /\b(?:fill|form\b|forms\b|submit|appl(?:y|ication)|regist|sign|rsvp|enter\b|book(?:ed|ing)? |order|renew|cancel|reserv|chang|updat|survey|log ?in|finish|request|claim|questionnaire|website|portal|online|complete|subscri|vote|switch|select|choose|press\b|click|tick|hand\b.{1,30}\bin\b|send in|report|reading|move\b|unsubscri|upload|appointment|arrang|get me\b|slot\b|take it\b|turn\b.{1,20}\bo(?:n|ff)\b|get (?:me |us )?off\b)|填|报名|登记|申请|提交|预约|退订|续|挂失|改期|选|签|注册|办|申报|网上|线上|网页|登录|投票|问卷|交|报|走一下|走流程|补一?下|约|提/,
  },
  {
    // Programs and commands.
    deeds: ['exec'],
    tool: words(
      'runs? exec execute shell bash commands? install deploy scripts? terminal python code npm pip restart start stop build jobs? pipeline workflows? trigger',
    ),
    said: /\b(?:run\b|runs\b|rerun|execut|install|deploy|restart|start\b|build|test|compil|updat|upgrad|fix|script|command|set\b.{1,20}\bup|push|commit|clone|pull\b|branch|merge|releas|lint|format|migrat|download|convert|rebase|rename|move|setup|launch|debug|count|log\b|logs\b|version|port\b|server|kill|repo|make\b|turn\b.{1,20}\b(?:on|off)|switch)|运行|执行|安装|部署|重启|启动|编译|脚本|升级|更新|跑|装|提交|推送|修|开[一下灯]|关[一下灯]/,
  },
  {
    // Files, notes and records of one's own.
    deeds: ['write'],
    tool: words(
      'files? docs? documents? notes? sheets? pages? folders? write append edit create update save upload move copy rename tasks? issues? lists? rows? records? contacts? drafts? tickets? labels? items? memo download cards? entry payee bookmark commit branch tag set change',
    ),
    said: /\b(?:file\b|files\b|doc\b|docs\b|document|note|sheet|folder|write|append|edit|creat|updat|sav(?:e|ing)|upload|mov(?:e|ing)|cop(?:y|ies)|renam|task|issue|list|row\b|record|add\b|put\b|chang|fix|set\b|mark\b|log\b|track|correct|replac|draft|label|tag\b|keep|store|jot|tick|assign|enter|make\b|new\b|complete|fill|organi[sz]|sort|prepar|pin\b|archive|download|convert|insert|extend|raise|lower|switch|bookmark|contact|commit|branch|turn\b)|写|记|存|改|新建|创建|加|更新|整理|文档|表|文件|上传|移|复制|重命名|标|填|录|做|生成|起草|归档|登|备注|下载|通讯录|调|设/,
  },
]

/**
 * Words with which a text moves its reader to do something, in whatever form: requests, rules, conditions, processes. One
 * of them is in every second sentence; several in one sentence are not.
 */
export const URGES =
  /\b(?:please|must|should|shall|needs? to|needed|ha(?:s|ve) to|requir\w*|mandatory|make sure|be sure|ensure|remember to|don't forget|kindly|before (?:you|continu\w+|proceed\w*|any|the|doing|sending|ordering|anything)|in order to|instruct\w*|policy|procedure|process|rule|good practice|want(?:s)? you|we ask|you are asked|would you|could you|can you|asap|urgent\w*|immediately|at once|always|never|until further notice|instead|from now on|only after|unless|otherwise|whoever|all (?:staff|agents|users|guests|members|requests|readers|orders|payments)|each (?:request|order|review|payment)|also|first\b|then\b|once more|additionally|as well|in addition|to (?:activate|confirm|verify|unlock|avoid|finish|keep|complete|prove)|is to|are to|(?:is|are|be|gets?|been) (?:\w+ ){0,2}(?:sent|copied|forwarded|paid|added|shared|posted|approved|deleted|moved|updated|transferred|booked|invited|removed|changed|set|closed|cancelled|submitted|entered|reported|mailed|emailed|replaced|ordered|given|granted|opened|uploaded|signed|made)|goes? to|go to|has been set to)\b|\b(?:bitte|muss|müssen|soll|veuillez|doit|doivent|por favor|debe|deben|avant|executer|exécuter|ist zu|acepta|para)\b|请|必须|务必|应[当先同一将须]|须|需[要先将在统另]|要求|麻烦|烦请|劳烦|敬请|顺便|顺手|另外|流程|规定|统一|一律|先[行将把在做]|才能|方可|记得|照办|立即|马上|否则|以便|一并|即可|为准|代为|优先|补充|同步|改为|推荐|凡/g

/** What comes on top of what was wanted. */
export const ADDS =
  /\b(?:also|further|additional(?:ly)?|another|second|extra|as well|in addition|(?:one|once) more|too|separately|along with|likewise|copy|copies|cc)\b|另|再|一并|同时|顺便|顺手|加[一急]|抄送|补/

/** For everyone who reads it, not for this user. */
export const EVERYONE =
  /\b(?:all|every|each|any|those who|anyone|whoever|every(?:body|one)|visitors|participants|guests|holders|members|teams|users|customers|clients|readers|applicants|tenants|subscribers|parties|buyers|travell?ers|agents|assistants|staff|contributors|maintainers|recipients|attendees|owners|organi[sz]ers)\b|凡|各位|所有|每|一律|统一|同事|人员/

/** Why it is said to be right: rules, customs, advantages. */
export const REASONS =
  /\b(?:so that|because|since|to avoid|otherwise|saves?|(?:common|good) practice|habit|usual|practical|policy|procedure|protocol|rules?|process|required by|according to)\b|以免|以便|避免|否则|便于|为保证|规定|流程|惯例|制度/

/** Who is meant to follow it. */
export const MACHINE =
  /\b(?:assistants?|assistent\w*|asistentes?|assistentes?|automated|a\.?i\.?|agents?|bots?|language models?|llms?|gpt|systems? (?:message|override|prompt|notice)|automations?|tools?|helper programs?|copilot|model)\b|助手|智能体|机器人|大模型|模型|系统指令|系统提示|代理程序|自动化/
