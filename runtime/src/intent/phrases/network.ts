/** Finding information online, and calling services. */
import { CREATES, DEED_ON_PAGE, FAULT, GO, SITES, TO_SITE, VISIT_SITE, WEB, WITH_BROWSER } from './browser.ts'
import { FIX, SOFTWARE, URL, WHICH } from './shared.ts'
import { type Cue, MASK, words } from './words.ts'

const { url } = MASK

const SEEK = words({
  verbs: `
    search|find|check|look|browse|investigate|explore|research|read|get|gather|collect|hunt|see|verify|
    confirm|source|dig|scour|query|shop|ask`,
  zh: '查|搜|找|检索|看|了解|搜集|收集|调研|确认|核实|问|获取|研究|扒',
})

const ONLINE = words({
  plain: `
    \\b(?:online|the (?:web|internet|net)|on google|on bing|google it|via google|web search|world wide web|
    web for|web sources)\\b`,
  zh: '上网|(?<![官商程])网上|(?<!互)联网|在线|互联网上|网络上|全网|网路上|网络搜索|外网',
})

const LOOK_UP = words({
  plain: `
    ^(?:google|bing|web-?search|duckduckgo)\\b|\\b(?:look (?:it |this |that |them )?up|looking up|(?:do|
    doing) (?:some |a bit of |a little |more |market )?research|research(?:ing)? (?:on|into|about)|
    read up on|find out|dig up|search (?:engine|the web|online|the internet)|fact-?check|google (?:it|for|
    the|what|how|who|some|me))\\b|^(?:then )?research\\b|\\b(?:please|to|and) research\\b`,
  zh: `
    上网[查搜找看检确问]|搜一下|搜下|搜搜|搜索(?!结果|框|栏|引擎|功能|接口|太|很|慢|速度|性能|不|逻辑|公司|
    行业|技术|算法|业务|产品|服务)|搜寻|(?<![检调审排抽])(?:查一下|查下|查查|查一查)|(?<!这个|那个|该|条|慢|
    sql|sql )查询(?!语句|走|太|性能|优化|接口|条件|逻辑|速度|慢|很)|检索|调研|百度一下|百度下|谷歌一下|
    谷歌下|google一下|google 一下|搜集|收集.*(?:资料|信息)|查找.*(?:资料|信息|论文|文献|新闻)|查资料|找资料|
    找些资料|帮我查|了解一下.*(?:最近|最新|行情|动态|市场)|打听`,
})

const SEARCH_FOR = words({
  plain: `
    ^look into\\b|^(?:search|hunt|look|shop)(?:ing)? (?:around )?(?:for|about)\\b|^(?:search|scour)\\b|
    ^find (?:me )?(?:some |a few |an? |the )?(?:cheap|good|recent|best|latest|nearby|popular|reviews?|
    papers?|articles?|sources?|flights?|hotels?|information|info|studies|statistics|stats)\\b|
    \\bsearch (?:for )?(?:some|the|recent|latest)\\b`,
  zh: '^(?:搜|搜索|查|检索|查找)',
})

const FIND = words({
  verbs: `
    find|gather|collect|get|compile|need|want|compare|give|show|dig|list|summarize|summarise|recommend|pull`,
  zh: '找|搜集|收集|汇总|整理|给我|要|列|查|看看|了解|比较|对比',
})

const PUBLISHED = words({
  nouns: `
    study|studies|paper|papers|article|articles|reviews|statistics|stats|data on|information about|
    information on|info on|info about|tutorial|tutorials|source|sources|news|coverage of|published|
    case study|case studies|market size|market share|release date|opening hours|hotel|hotels|flight|flights|
    ticket|tickets|job posting|vacancies|competitors?|vendors?|discount|deal|deals|price|retailer|
    background on`,
  zh: `
    统计数据|学术研究|研究|论文|文献|资料|信息|新闻|报道|案例|教程|链接|评测|测评|口碑|行情|市场份额|
    数据来源|背景|票价|机票|高铁票|酒店|招聘|职位|竞品|厂商|攻略帖|官方文档|开源项目|优惠|价格|售价|各平台`,
})

const FRESH = words({
  plain: `
    \\b(?:latest|newest|current|currently|recent|recently|today'?s?|tonight|right now|at the moment|
    this (?:week|month|morning|season)|last night|yesterday'?s?|live|up-to-date|these days|breaking|now|
    tomorrow|trending|real-time|so far this year)\\b`,
  zh: '最新|现在|今天|今日|目前|当前|最近|近期|实时|昨晚|昨天|明天|这周|本周|这个月|本月|今年|刚刚|今晚|当下|眼下|这几天|近来',
})

const LIVE_TOPIC = words({
  nouns: `
    news|headline|top story|top stories|price|weather|forecast|version|release|score|exchange rate|stock|
    stock market|share price|market|population|ceo|president|prime minister|standing|result|temperature|
    traffic|event|paper|study|research|report|trend|development|announcement|bitcoin|election|match|game|
    flight|rate|law|regulation|policy|benchmark|review|earthquake|chart|box office|ranking|update|rumou?r|
    release notes|status of|statistics|data|figure|unemployment|inflation|gdp`,
  zh: `
    新闻|天气|气温|价格|价钱|汇率|股价|股市|大盘|版本|稳定版|比赛|比分|政策|动态|行情|票房|排行|排名|资料|
    消息|进展|赛程|路况|油价|金价|房价|房贷利率|利率|指数|热搜|头条|论文|研究|报道|财报|总统|首相|航班|疫情|
    地震|法规|趋势|更新内容|发布|评测|比特币|数据|统计|失业率|人口|通胀|下雨|台风|空气质量|限行|结果`,
})

const DEFINITION = words({
  plain: `
    \\b(?:what(?:'s| is| are) an?|what does .* mean|difference between|how (?:do|does|can|should|would|to)|
    explain)\\b`,
  zh: '什么是|区别|什么意思|怎么(?:算|用|写|做|看懂)|如何|原理',
})

const RIGHT_NOW = words({
  plain: `
    \\b(?:right now|at the moment|currently|at present|latest|current|these days|lately|recently|
    this (?:week|weekend|season|year|month)|this (?:morning|afternoon|evening)|today|tonight|yesterday|last (?:night|week|weekend)|nowadays|
    so far)\\b`,
  zh: '现在|目前|最新|今年|本周|这周|这周末|周末|眼下|当前|昨晚|昨天|今天|今晚|最近|现任|现行|这个月',
})

const WHO = words({
  plain: `
    \\b(?:who|who's|which|what|what's|how (?:much|many|tall|big|far|are|is|did)|how's|is|are|did|has|when|
    where|any)\\b`,
  zh: '谁|哪|多少|几|吗|怎么样|如何|什么|有没有|还有',
})

const SMALL_TALK = words({
  plain: '\\b(?:feel|feeling|mood|dinner|lunch|wear|day of the week|date)\\b',
  zh: '心情|去哪(?:儿|里)?(?:玩|逛|浪)|吃什么|穿什么|好吗|星期几|几号|几点|干什么|做什么',
})

const PERSONAL = words({
  plain: "\\b(?:i|i'm|me|my|we|our|you|your|us|this (?:code|file|function|sentence|text))\\b",
  zh: '我|你|咱|您',
})

const WEATHER = words({
  plain: `
    \\b(?:weather|forecast|exchange rate|stock price|share price|headlines|air quality)\\b.*\\b(?:in|for|
    between|of|today|tomorrow|at|about)\\b|\\bany news (?:on|about|from)\\b|\\bnews (?:about|on|from)\\b|
    \\bwho won\\b|\\b(?:is it|will it|it'll|gonna) (?:going to |gonna )?(?:rain|snow|be (?:sunny|cold|
    hot))\\b|\\bwhat's new (?:in|with)\\b|\\bhow(?:'s| is| are) the (?:weather|stock|market)`,
  zh: `
    (?:天气|气温).*(?:怎么样|如何|预报|多少度)|天气预报|(?:会不会|会|要不要|有没有|要)下[雨雪]|谁赢了|
    (?:美元|欧元|日元|英镑|人民币).*汇率|股价|有什么(?:新闻|新动态)|(?:的|有关|关于).{0,12}新闻|几点(?:开门|
    关门)|开放时间|营业时间`,
})

const TRANSFER = words({
  verbs: `
    download|fetch|curl|wget|scrape|crawl|request|call|query|ping|post|get|send|pull|retrieve|hit|poll|grab|
    invoke|probe`,
  zh: '下载|请求|抓取|爬取|爬|调用|调一下|获取|拉取|发送|发一个|发个|发起|取回|采集|下一个|拉一下|读取',
})

const REMOTE = words({
  nouns: `
    api|endpoint|json from|webhook|rss|feed|http request|post request|get request|put request|rest service|
    web service|status code|server response|graphql|iso|dataset|installer|repo tarball`,
  plain: `${url}|\\b(?:from|off) the (?:web|internet|server|net)\\b`,
  zh: `${url}|\\bapi\\b|接口|请求|端点|rss|订阅源|数据集|镜像|webhook|安装包|状态码|远程服务`,
})

const PROBE = words({ verbs: 'check|ping|probe|monitor|hit|query', zh: '看看|测一下|探测|检查|查询|请求' })

const SERVICE = words({
  nouns: 'api|endpoint|health check|status code|webhook',
  zh: '接口.{0,6}(?:返回|状态|通不通)|状态码|返回码',
})

const WORLDLY = words({
  plain: `
    \\b(?:newer (?:\\w+ )?(?:version|release|lts)|newer lts|hiring|nearest|nearby|near me|phone number of|
    opening hours|official (?:site|website|documentation|docs)|release date|(?:been|get|
    getting) (?:announced|released|launched|cancelled)|(?:come|came|coming) out yet|open on [a-z]+|alternatives? to|
    people (?:say|saying|are saying|think)|reviews of|on sale|score of|published (?:on|about|in|since)|(?:on|from) stack overflow|ticket prices?|analysts?|earnings|
    visa requirements?|showtimes?|timetable|cve-\\d+|release notes|literature review|dois?|peer-reviewed|
    reputable|fact-?check|cross-?check|job openings|concerts?|train times|flight status|tracking number|
    quarterly results|valuation|funding round|lawsuit|scholarships?|exchange rate|stock price|
    market (?:size|share)|air quality|how much (?:does|is|are) (?:a|an|the) [\\w ]+ cost|who won|
    box office)\\b`,
  zh: `
    比.{0,10}更新的|在招|招人|大家.{0,12}评价|评价怎么样|比分|发表的|附近|离我最近|网友|口碑|开源替代|替代品|(?:发布|
    上映|上市|开售|公布)了(?:没有|吗|没)|哪天(?:开始|发售|上映|预售)|什么时候(?:发布|上映|上市|开售|开始|
    出)|预售|官方文档|最便宜的|门票|余票|评分|财报|营收|估值|融资|签证(?:要求|材料|政策)|票房|演唱会|时刻表|
    航班动态|快递.{0,4}到哪|文献|综述|\\bdoi\\b|权威|核实|辟谣|考证|分数线|招聘信息|限行|油价|开奖|赛程|
    汇率|股价|市值|市场份额|要多少钱|多少钱一`,
})

const DOWNLOAD = words({
  plain: '^(?:download|curl|wget|scrape|crawl)\\b',
  zh: '^下载(?!文件夹|目录|夹|的)|^爬取|^抓取',
})

const SOURCED = words({
  plain: `
    \\b(?:with|cite|citing|include|list|collect|gather|find|give)\\b.*\\b(?:sources|citations|references|
    links)\\b`,
  zh: '出处|注明来源|来源|参考文献|附上?链接|带链接',
})

export const NETWORK_CUES: readonly Cue[] = [
  { name: 'search online', all: [SEEK, ONLINE] },
  { name: 'look up', all: [LOOK_UP] },
  { name: 'request', all: [TRANSFER, REMOTE] },
  { name: 'read a page', all: [GO, WEB], none: [FAULT, CREATES], without: [DEED_ON_PAGE, WITH_BROWSER] },
  { name: 'read a page', all: [TO_SITE], none: [FAULT, CREATES], without: [DEED_ON_PAGE, WITH_BROWSER] },
  { name: 'read a site', all: [VISIT_SITE, SITES], none: [FAULT], without: [DEED_ON_PAGE, WITH_BROWSER] },
  { name: 'download', all: [DOWNLOAD] },
  { name: 'live data', all: [FRESH, LIVE_TOPIC], none: [URL, DEFINITION], scope: 'withQuestions' },
  { name: 'weather or news', all: [WEATHER], scope: 'withQuestions' },
  {
    name: 'ask for current facts',
    all: [RIGHT_NOW, WHO],
    none: [PERSONAL, SMALL_TALK],
    scope: 'withQuestions',
    weak: true,
  },
  {
    name: 'ask for current facts',
    all: [RIGHT_NOW, WHO],
    none: [PERSONAL, SMALL_TALK],
    scope: 'withQuestions',
    across: true,
    weak: true,
  },
  { name: 'find what was published', all: [FIND, PUBLISHED], weak: true },
  { name: 'the internet', all: [ONLINE], weak: true },
  { name: 'check a service', all: [PROBE, SERVICE], none: [FIX] },
  { name: 'public facts', all: [WORLDLY], none: [SOFTWARE, DEFINITION], scope: 'withQuestions', weak: true },
  { name: 'search for', all: [SEARCH_FOR], weak: true },
  { name: 'an address', all: [URL], weak: true },
  { name: 'ask about an address', all: [WHICH, URL], scope: 'withQuestions', weak: true },
  { name: 'with sources', all: [SOURCED], weak: true },
]
