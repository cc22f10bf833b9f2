/** Using a browser and acting on pages. Reading a page needs no browser (`network.ts`). */
import { CODE } from './shared.ts'
import { type Cue, MASK, words } from './words.ts'

const { url, source, code, file, folder, quote } = MASK

export const SITES = words({
  nouns: `
    github|gitlab|youtube|reddit|twitter|wikipedia|wiki|gmail|facebook|instagram|amazon|ebay|linkedin|
    netflix|stack overflow|hacker news|bbc|google maps|bilibili|booking|airbnb|tiktok|spotify|etsy|walmart|
    zillow|yelp|tripadvisor|craigslist|quora|substack|notion|jira|trello|figma|canva|google docs|outlook|
    salesforce|shopify|wordpress|expedia|duolingo|pinterest|twitch|confluence|asana`,
  zh: `
    百度(?!一下|下)|知乎|淘宝|天猫|京东|微博|[bB] ?站|豆瓣|小红书|抖音|拼多多|美团|携程|12306|维基百科|
    谷歌(?!一下|下)|油管|微信公众平台|领英|贴吧|央视网|新浪|网易|腾讯视频|优酷|推特|脸书|闲鱼|飞猪|大众点评|
    高德|学信网|爱奇艺|飞书|钉钉|支付宝|雪球|力扣|掘金|语雀|石墨|谷歌邮箱|谷歌地图|百度地图|小程序后台|
    课程平台|选课系统`,
})

const BROWSER = words({
  plain: `
    \\b(?:web )?browsers?\\b(?! (?:extension|plug|add-?on|compat|cache|histor|market|share|war|engine|
    support|game))|\\b(?:chrome|chromium|firefox|safari|playwright|microsoft edge)\\b(?! extension)`,
  zh: '浏览器(?!插件|扩展|兼容|市场|缓存|历史|发展|引擎|内核|原理)|谷歌浏览器|火狐|无头浏览',
})

export const WEB = words({
  nouns: `
    website|web site|web ?page|site|home ?page|landing page|web ?portal|portal|web app|tab|dashboard|
    (?:login|sign-in|about|settings|docs|product|pricing|checkout|contact|profile|account|help|search|next|
    web|this|that|front|wikipedia|status|admin|order)(?: us)? page|page|link|intranet|search result|inbox|
    login form|web form|cookie banner`,
  plain: url,
  zh: `
    网站|网页|官网|主页|首页|网址|链接|页面|(?:登录|详情|设置|落地|列表|结账|支付|个人|帮助|关于|活动|商品|定价|价格|产品|介绍|注册|搜索|结果|主)页|上一页|下一页|搜索结果|收件箱|标签页|门户|后台|网店|站点|论坛|邮箱网页|公众号后台|教务系统|
    管理系统`,
})

export const GO = words({
  verbs: 'open|visit|navigate|browse|load|reload|refresh|launch|access|view|surf',
  plain: `
    \\b(?:go(?:ing)? (?:on ?|back )?to|goto|go back|head (?:over )?to|pull up|bring up|take me to|jump to|
    check ?out|hop on(?:to)?|get on(?:to)?|switch to)\\b`,
  zh: '打开|开启|(?<!能不能|能否|可否|可以|无法|不能)访问(?!量|控制|权限|令牌)|进入|进到|进一下|浏览(?!器|量)|前往|跳转|转到|刷新|载入|加载|点开|开一下|开个|启动|逛|导航到',
})

export const VISIT_SITE = words({
  verbs: 'open|visit|browse',
  plain: '\\b(?:go(?:ing)? (?:on ?)?to|go on|goto|head (?:over )?to|pull up|hop on(?:to)?|check)\\b',
  zh: '打开|访问|进入?|浏览|前往|去|^上|逛|刷',
})

/** A page that shows only in a browser, or only after a login. */
const OWN_PAGE = words({
  nouns: `
    tab|dashboard|portal|intranet|inbox|search result|(?:settings|checkout|profile|account|admin|order|previous|
    next)(?: us)? page|(?:third|second|first|last|next) result|bank(?:ing)?(?:'s)? (?:web ?)?site`,
  zh: '后台|收件箱|标签页|教务系统|管理系统|[上下]一页|搜索结果|(?:设置|结账|支付|个人)页|门户|网银',
})

/** What is done on a page once it is open; reading it is not. */
export const DEED_ON_PAGE = words({
  plain: `
    \\b(?:click(?:s|ed|ing)?|screenshots?|scroll(?:s|ed|ing)? (?:down|up|to|through)|new (?:tab|window)|check me in|
    (?:log|sign) (?:me |us )?(?:in|up)(?:to)?|(?:logg|sign)ing in(?:to)?(?= *$| (?:to|at|with|as)\\b))\\b|^(?:tap|press|hover|tick|fill|submit|type|enter|toggle|
    turn (?:on|off)|expand|drag|swipe|buy|purchase|book|reserve|register|subscribe|unsubscribe|pay|renew|cancel|accept|
    decline|approve|play|zoom)\\b|^order (?:the|an?|me) (?!.*\\bby\\b)|^apply (?:[\\w-]+ )?filters?\\b|^apply for\\b|
    ^(?:change|update|delete|remove) my\\b|^(?:delete|remove) the (?:[\\w-]+ )?(?:items?|products?|comments?|posts?)\\b|
    ^post (?:an?\\b| *${quote})|^like (?:the|this|that|my)\\b|^switch (?:to|the)\\b|^close the (?:[\\w-]+ )?(?:pop-?up|banner|dialog|tab)\\b|
    ^watch (?:the|an?) (?:[\\w-]+ )?(?:video|stream)\\b`,
  zh: `
    点 ?${quote}|点击|点一[下份]|点[个了]赞|点进|点开第|截图|截屏|截个图|截张图|滚动|翻页|填[写好上一完]|
    登录(?!页|接口|按钮|表单|功能|模块|逻辑|态|方式)|登入|登一下|登上|购物车|下单|手动操作|手机尺寸|新窗口|
    提交(?!量|记录|历史)|播放(?!量)|值机|办一下|放大|
    ^(?:把|将|帮我把)[^${file}${source}${folder}${code}]{1,14}(?:删|换|关|填|取消|通过)|
    ^(?:订(?!单|阅)|预订|购买|抢|报名|注册|签到|打卡|缴费|续费|取消|申请|切换|审批|筛选)|
    (?:订|抢|买|约)一|发一条(?!.*给我)|删掉.{0,4}(?:件|商品)|改.{0,3}预约`,
})

/** What only its owner is shown. */
const MY_THINGS = words({
  plain:
    '\\bmy (?:[\\w-]+ ){0,2}(?:account|notifications?|orders?|messages?|inbox|feed|profile|invitations?|balance|cart)\\b',
  zh: '我的?(?:账户|账号|通知|订单|消息|私信|收件箱|主页|余额|购物车|频道)',
})

const LOOK_AT = words({
  verbs: `
    check|read|see|look|show|watch|screenshot|capture|summarize|summarise|inspect|verify|play|book|order|buy`,
  zh: '看看|看一眼|瞄|瞅|看一下|看下|看到|查看|瞧瞧|截图|截个图|截屏|截取|读|念|确认|检查|播放|预订|订|下单|买|总结|概括',
})

const LOG_IN = words({
  plain: `
    \\b(?:log(?:ging)? (?:in(?:to)?|on)|sign(?:ing)? in(?:to)?|login (?:to|on|at|with|into)|sign (?:me |us )?up)\\b`,
  zh: '登录(?!页|接口|按钮|表单|功能|模块|逻辑|态)|登入|登陆|登一下|登上',
})

/** An order, and not what users of a program do. */
const LOG_IN_NOW = words({
  plain: '^(?:log|sign) (?:in(?:to)?|on)\\b',
  zh: '^(?:登录|登入|登一下|登上)(?!页|接口|按钮|表单|功能|模块|逻辑|态)',
})

const SCREENSHOT = words({
  nouns: 'screenshot|screen shot|screen capture|snapshot',
  zh: '截图|截屏|截个图|截张图|截几张|截个屏|截一张|截取|快照',
})

const PRESS = words({
  plain: `
    ^(?:(?:now|on the (?:page|site)) )?(?:double-?)?(?:click|tap|press|hit|scroll|hover|tick|fill (?:in|out|
    up)|fill|submit|type|select|choose|enter|toggle|turn (?:on|off)|expand|drag|swipe)\\b`,
  zh: '点 ?\ue005|一直点|点击|点进|点开|切换|点一下|点下|点第|点(?:那|这)个|单击|双击|滚动|下拉(?!框|菜单|列表)|滑到|翻页|填写|填好|填上|填一下|填完|完成|勾选|输入|提交表单|选择',
})

const PRESS_ANY = words({
  verbs: 'click|tap|toggle|tick|scroll|fill|type|select',
  zh: '点击|勾选|填写|输入|切换|关掉|打开',
})

const CLICK = words({
  verbs: 'click|tap|press|tick|scroll',
  zh: '点 ?\ue005|一直点|点击|点一下|点一遍|点下|点开|点进|点一点|勾选|按一下',
})

const ON_PAGE = words({
  plain: '^(?:on|in|at) (?:the|this|that|my) (?:[\\w-]+ ){0,2}(?:page|site|website|form|portal|dashboard)\\b',
  zh: '^在.{0,8}(?:页面|网页|网站|页)[里上中]',
})

const CONTROL = words({
  nouns: `
    button|link|page|form|checkbox|check box|dropdown|menu|search box|search bar|input|field|tab|icon|popup|
    pop-up|banner|captcha|cart|image on`,
  plain: url,
  zh: '按钮|链接|页面|表单|问卷|复选框|下拉框|菜单|搜索框|搜索栏|输入框|标签页|弹窗|验证码|图标|网页|网站|购物车|报名表',
})

const CART = words({
  plain: '\\badd\\b.*\\bto (?:my |the )?(?:cart|basket|bag)\\b',
  zh: '加入?(?:到)?购物车|加购',
})

/** "Check out the docs" is a look at them. */
const SHOP = words({
  plain: '\\bcheck ?out\\b(?= *$| (?:now|with|using|as|(?:my|the) (?:cart|basket|bag|order)))',
  zh: '结账|下单',
})

/** What only a rendered page shows. */
const RENDERED = words({
  plain: `
    (?:\\b(?:page|site|website|it)|${url}) looks? like\\b|\\b(?:render(?:s|ed|ing)?|visually|clickable|layout|scrolls?|phone-sized|responsive|
    (?:play|watch)(?:s|ed|ing)? (?:the |a )?(?:[\\w-]+ ){0,2}(?:video|stream|clip|episode))\\b`,
  zh: '渲染|亲眼|长什么样|布局|外观|能不能点|可点击|真浏览器|(?:播放|看).{0,6}(?:视频|直播)',
})

const THAT_PAGE = words({
  plain: `
    ${url}|\\b(?:the|this|that|our|my|their|your) (?:[\\w-]+ ){0,2}(?:web ?page|page|site|website|
    home ?page)\\b`,
  zh: `${url}|官网|首页|主页|落地页|[这那]个(?:网页|页面|网站)|我们的(?:网页|页面|网站)`,
})

/** A program that fetches without a browser. */
const FETCHER = words({ plain: '\\b(?:curl|wget|httpie|http_request|urllib|requests|axios|python|node)\\b' })

const PLAIN_FETCH = words({
  verbs: 'fetch|curl|wget|scrape|crawl|download|call|post',
  plain: '\\bapi\\b',
  zh: '抓取|下载|爬|请求|接口',
})

const ONLINE_DEED = words({
  plain: `
    ^(?:book|order|buy|purchase|reserve|zoom|register|subscribe|unsubscribe|post|submit|upload|pay|renew|cancel|apply|
    reply|follow|like|reschedule)\\b|\\b(?:sign (?:me |us )?up|check in|fill (?:in|out))\\b`,
  zh: `
    订(?!阅|单)|预订|购买(?!价|指南|记录)|下单|抢|报名(?!时间|条件|费)|注册(?!表|流程|资本)|提交(?!量|记录|历史)|发布一|发帖|
    缴费|续费|取消|申请(?!条件|流程|材料|表)|点赞|评论一|签到|打卡|结账|填|放大|买(?!家)`,
})

const ON_SITE = words({
  plain: `
    \\b(?:on|at|via|through|from) (?:the |their |my |our |your )?(?:[\\w.'-]+ ){0,2}(?:${url}|web ?sites?|
    site|portal|web ?page|page|amazon|ebay|github|twitter|facebook|linkedin|reddit|youtube|airbnb)`,
  zh: `
    (?:在|到|去|^上(?!网)) ?(?:[^，]{0,8})(?:${url}|网站|官网|网页|网上(?!找|查|搜)|页面|淘宝|京东|天猫|
    携程|微博|知乎|豆瓣|小红书|抖音|美团|12306|b站)|(?:淘宝|京东|天猫|携程|微博|知乎|豆瓣|小红书|抖音|美团|
    领英|推特|脸书|b站|贴吧|油管|闲鱼)(?:上|里)`,
})

export const TO_SITE = words({ zh: `(?:去|到|^上|进(?!了)|帮我上).{0,8}(?:网站|官网|网页|门户|论坛|${url})` })

const TAB = words({ nouns: 'tab|browser window', zh: '标签页|浏览器窗口|网页.{0,4}(?:弹窗|广告|横幅)' })

const TAB_DEED = words({ verbs: 'close|switch|pin|open|reopen|reload', zh: '关|切|打开|固定|刷新' })

const USERS = words({
  plain: '\\b(?:users?|customers?|when(?:ever)? (?:i|you|we|users?|someone)|if (?:i|you|the user))\\b',
  zh: '用户|重复|的时候|每次|一.{0,6}就|当.*时|点了',
})

export const WITH_BROWSER = words({
  plain: `
    \\b(?:us(?:e|ing)|with|via|through|in|inside|open|launch|start|fire up|run|bring up|
    by)\\b (?:up )?(?:(?:a|an|the|teh|my|your|real|actual|headless|new|system|default|built-in|
    playwright) )*(?:web )?(?:browser|chrome|chromium|firefox|safari|playwright|
    microsoft edge)\\b(?! (?:extension|plug|add-?on|compat|cache|histor|market|share|war|engine|support|
    game|tab was))`,
  zh: `
    (?:用|使用|通过|借助|打开|开个|开启|启动|拉起|调起|在|开)(?:一个|一下|个|真正的|真实的|真|系统|默认|无头|
    我的|你的|本地|谷歌|火狐| )*(?:浏览器|火狐|chrome|chromium|firefox|safari|edge)(?!插件|扩展|兼容|市场|
    缓存|历史|的?原理)`,
})

/** Together with a strong browser cue, this outranks a memory directive. */
export const NOW = words({
  plain: '\\b(?:now(?! on)|then|this time|right away|immediately|next|after that|afterwards)\\b',
  zh: '现在|然后|接着|接下来|这次|这回|马上|立即|立刻|随后|之后',
})

export const FAULT = words({
  verbs: 'crash|break|fail|freeze|hang',
  plain: "\\b(?:bug|broken|error|exception|wrong|not work|n't work|does nothing|500|404)\\b",
  zh: '没反应|没有反应|报错|崩溃|闪退|失效|不生效|出错|异常|白屏|卡死|不工作|有问题',
})

export const CREATES = words({
  plain: `
    ^(?:add|create|build|implement|write|make|design|fix|refactor|debug|update|change|remove|develop|
    generate|code)\\b`,
  zh: '^(?:写|实现|开发|做一?个|修复|重构|新增|添加|编写|设计)|加一?个|加上|修一下|修复',
})

const MAKE = words({
  verbs: `
    write|create|build|make|implement|develop|fix|refactor|debug|modify|change|update|rewrite|edit|add|append|
    insert|put|remove|optimize|optimise|improve|review|explain|document|generate|code|port|migrate|run|execute`,
  zh: '运行|执行|跑|更新|写|实现|开发|修复|修改|重构|改|添加|新增|编写|调试|补|优化|加(?!载|入购)|删|生成|设计|解释',
})

/** A part of a program, not the page it serves. */
const ARTEFACT = words({
  nouns: `
    test|spec|test case|code|function|method|module|component|script|crawler|scraper|spider|program|class|
    handler|endpoint|logic|parser|regex|fixture|page object|helper|library|bot|plugin|extension|selector|
    tool|cli|hook|snippet|example|flag|option|file`,
  plain: `${source}|${code}|${file}`,
  zh: '代码|函数|方法|模块|组件|脚本|爬虫|程序|测试|用例|逻辑|接口|插件|扩展|工具|机器人|示例|选项|文件',
})

/** True when a clause asks for a program: pages named after that are what the program handles. */
export function makesProgram(clause: string): boolean {
  const made = MAKE.exec(clause)
  if (made === null || !ARTEFACT.test(clause)) return false
  const driven = WITH_BROWSER.exec(clause)
  return driven === null || driven.index >= made.index
}

export const BROWSER_CUES: readonly Cue[] = [
  { name: 'with the browser', all: [WITH_BROWSER], none: [FAULT] },
  { name: 'act on a page', all: [GO, WEB], beside: [DEED_ON_PAGE], none: [FAULT, CREATES, FETCHER] },
  { name: 'act on a site', all: [VISIT_SITE, SITES], beside: [DEED_ON_PAGE], none: [FAULT, FETCHER] },
  { name: 'go to a page of your own', all: [GO, OWN_PAGE], none: [FAULT, CREATES, FETCHER] },
  { name: 'what a site shows you', all: [VISIT_SITE, SITES, MY_THINGS], none: [FAULT, CREATES, FETCHER] },
  { name: 'press on a page', all: [PRESS, CONTROL], none: [FAULT, CREATES, USERS] },
  { name: 'shop on a page', all: [CART], none: [CODE] },
  { name: 'shop on a page', all: [SHOP], none: [CREATES, CODE] },
  { name: 'screenshot of a page', all: [SCREENSHOT, WEB] },
  {
    name: 'how a page looks',
    all: [RENDERED, THAT_PAGE],
    none: [FAULT, CREATES],
    scope: 'withQuestions',
    across: true,
  },
  { name: 'go to a site to do it', all: [TO_SITE], beside: [DEED_ON_PAGE], none: [FAULT, CREATES, USERS, PLAIN_FETCH] },
  { name: 'the tabs', all: [TAB_DEED, TAB], none: [FAULT, CREATES], across: true },
  { name: 'log in', all: [LOG_IN, WEB], none: [FAULT, CREATES, USERS], across: true },
  { name: 'log in', all: [LOG_IN, SITES], none: [FAULT, CREATES, USERS] },
  { name: 'log in', all: [LOG_IN_NOW, WEB], none: [FAULT] },
  { name: 'do it on a site', all: [ONLINE_DEED, ON_SITE], none: [FAULT, CREATES, USERS] },
  { name: 'act on a site', all: [ON_SITE], beside: [DEED_ON_PAGE], none: [FAULT, CREATES, USERS] },
  { name: 'press a control of a page', all: [CLICK, WEB], none: [FAULT, CREATES, USERS] },
  { name: 'use a page', all: [PRESS_ANY, ON_PAGE], none: [FAULT, CREATES, USERS], across: true },
  { name: 'a browser', all: [BROWSER, LOOK_AT], none: [FAULT], weak: true },
]
