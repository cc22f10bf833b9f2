/** Word classes that the cues of several intents use. */
import { MASK, words } from './words.ts'

const { url, source, code } = MASK

/** A clause that begins with a plain verb, or with words that make a Chinese clause a request. */
export const IMPERATIVE = words({
  plain: `
    ^(?!(?:the|an?|i|i'm|i've|you|he|she|it|its|it's|we|they|this|that|these|those|there|there's|my|your|
    our|his|her|their|is|are|was|were|do|does|did|has|have|can|could|should|would|will|what|what's|which|
    who|whose|when|where|why|how|on|in|at|for|with|without|from|of|if|or|not|no|yes|because|as|by|about|
    between|every|each|all|some|any|most|many|good|great|thanks|thank|nice|hello|hi|hey|ok|let|tell|give|
    say|suggest|recommend|imagine|pretend|name|define|rate)\\b)[a-z]+ `,
  zh: '^(?:把|将|给|让|对|往|从|用|为)|帮我|麻烦',
})

export const URL = new RegExp(url, 'u')

export const SOURCE = new RegExp(source, 'u')

export const FIX = words({
  verbs: 'fix|debug|patch|repair|resolve|solve|troubleshoot|correct|squash|address|diagnose',
  plain: '\\b(?:sort out|track down|hunt down|deal with)\\b',
  zh: '修复|修好|修掉|修正|修一下|修下|修改|改一下|改掉|改好|修|解决|排查|定位|调试|搞定|处理|消除|改正|纠正',
})

const NOT_A_FILE = '(?! ?(?:files?|folders?|director|文件|目录))'

export const CODE = words({
  plain: [
    `
    \\b(?:functions?|methods?|class(?:es)?|modules?|components?|unit tests?|tests?|test cases?|test suite|
    test coverage|endpoints?|variables?|source code|code ?base|codebase|(?<!status |zip |area |postal |qr |
    promo |dress |discount )code|imports?|dependenc(?:y|ies)|css|html|stylesheet|regex|sql|quer(?:y|ies)|
    parsers?|compilers?|handlers?|callbacks?|async|hooks?|decorators?|interfaces?|type annotations?|
    type hints?|docstrings?|typescript|javascript|python|java|golang|rust|kotlin|swift|react|vue|django|
    flask|express|spring|c\\+\\+|algorithm|scripts?|backend|frontend|front-end|back-end|micro-?services?|
    database schema|migrations?|cron ?job|dockerfile|makefile|linter|eslint|middleware|router|routes?|
    websocket|crawler|scraper|parameters?|arguments?|return type|error handling|error message|logging|
    log statements?|exception handling|pagination|caching layer|rate limit(?:ing|er)?|dark mode (?:toggle|
    switch|support)|feature flags?|cli|command-line (?:tool|flag)|loop|array|enum|struct|constructor|getter|
    setter|singleton|pull request|helper|util(?:s|ity)?|sdk|library|web app|browser (?:extension|plugin)|
    chrome extension|plugin|bot|game in|chatbot|landing page|login page|web ?page|website|web site|
    mobile app|android app|ios app|todo app|app|feature|retry logic|retries|validation|api client|
    client code|rest api|graphql|users? api|hot path|critical path|latency|throughput|apis?)\\b${NOT_A_FILE}`,
    '(?<![\\w-])--[a-z][\\w-]+',
    code,
  ].join('|'),
  zh: `
    代码|程式码|源码|函数|函式|方法名|方法的|方法|[a-z_]+ ?类|[个两]类|用户输入|基类|子类|类里|类型注解|
    类型标注|模块|模组|接口|介面|变量|变数|常量|参数|单元测试|单测|测试用例|测试(?!环境|网站|页面|文件|目录|
    账号)|用例|组件|元件|脚本|程序|程式|爬虫|算法|功能|特性|逻辑|插件|浏览器插件|扩展程序|依赖|正则|
    查询语句|查询|语句|循环|数组|回调|异步|注解|装饰器|中间件|路由|分页|缓存|限流|日志打印|打日志|错误处理|
    异常处理|重试|样式|前端|后端|小程序|网站|网页|页面|登录页|落地页|应用|数据库表|表结构|提示(?:文案|语|
    信息)?|文案|配置项|类型|机器人|注释|文档注释|指针|判空|空值|旧表|建表|枚举|结构体|构造函数|单例|工具函数|命令行|按钮|性能|热点|
    选项`,
})

/** Kinds of text that people write. */
export const PROSE = words({
  nouns: `
    email|e-mail|letter|essay|poem|haiku|story|song|lyrics|speech|toast|slogan|tagline|paragraph|blog post|
    blog|article|report|summary|caption|tweet|post|resume|cv|cover letter|bio|joke|recipe|itinerary|plan|
    outline|schedule|agenda|menu|playlist|quiz|riddle|limerick|sonnet|review|ad|advert|announcement|
    invitation|message|note to|sentence|grammar|wording|novel|chapter|dialogue|monologue|press release|
    newsletter|proposal|thank-you note|name idea|shopping list|budget|workout|diet|meal|title|headline for|
    analogy|metaphor|small talk|quote|motto|compliment|apology|excuse|rant|prayer|mnemonic|acronym|anecdote|trivia|interview question|quiz question|exam question|presentation|explanation|description|pitch|wedding|vow`,
  zh: `
    邮件|信(?!息)|作文|文章|诗|七言|五言|绝句|故事|小说|散文|歌词|演讲稿|演讲|稿子|发言稿|口号|标语|段落|
    这段话|这段文字|句子|这句话|博客|帖子|报告|周报|日报|总结|摘要|简历|自我介绍|笑话|菜谱|食谱|行程|攻略|
    计划|规划|大纲|提纲|日程|文案|朋友圈|祝福语|贺词|请假条|检讨|对联|谜语|语法|措辞|润色|润饰|影评|书评|
    评语|通知|公告|邀请函|感谢信|新闻稿|广告语|剧本|台词|标题|比喻|辞职信|情书|短文|读后感|新书|推文|
    微博(?!网)|一句.*话|的话$|面试题|题目|试题|座右铭|名言|段子|台词|谚语|口诀|顺口溜|藏头诗|歇后语`,
})

/** Parts of programs: enough only when no other cue matches. */
export const SOFTWARE = words({
  nouns: `
    sidebar|navbar|nav bar|modal|button|tooltip|dropdown|date picker|form|header|footer|dark mode|
    light mode|theme|layout|animation|icon|api|client|retry|backoff|timeout|port|environment variable|
    env var|config option|session|token|auth|authentication|oauth|login|logout|signup|database|table|index|
    schema|queue|worker|thread|mutex|lock|cache|docker|dockerfile|container|kubernetes|pipeline|workflow|deployment|
    coverage|package|flag|option|response|request|payload|constant|field|property|state|reducer|listener|
    service|server|filter|sorting|upload|notification|localization|i18n|dashboard|settings page|page|column|
    constraint|event|permission|webhook|log level|input|search bar|homepage|checkout|screen|widget|view|
    controller|model|serializer|template|release|version number|changelog entry|stack|prop|props|debounce|
    throttle|import path|parser|format|encoding|type|buffer|pointer|null check|edge case|rate limit|spinner|loading state|caching|lookup|export|import|feature|z-index|margin|padding|flexbox|viewport|font size|css|logging|log`,
  zh: `
    侧边栏|导航栏|弹窗|按钮|表单|下拉框|日期选择器|深色模式|暗黑模式|夜间模式|主题|布局|动画|图标|登录|注册|
    权限|校验|端口|环境变量|配置|超时|重试|数据库|索引|队列|线程|锁|缓存|容器|镜像|部署|流水线|覆盖率|字段|
    属性|状态|事件|监听|请求|响应|后台|设置页|列表页|详情页|首页|列表|搜索功能|筛选|排序|上传|国际化|多语言|
    版本号|返回值|入参|默认值|编码|格式|类型|分支|服务|工程|项目|重复提交|加载动画|占位图|埋点|鉴权|并发|
    内存|精度|时区|日志|页头|页脚|支付|样式|层级|间距|字号`,
})

export const WHICH = words({
  plain: `
    \\b(?:what|which|how many|how big|how large|how much|how long|is there|are there|do(?:es)? (?:we|i|it|
    the|this|my) .*have|does|what's|whats|where's|is|where|any|when|who)\\b`,
  zh: `
    有哪些|有什么|有啥|有多少|多少|多大|几个|几行|哪个|哪些|哪几个|有没有|有.*吗|是否|在不在|存不存在|
    存在吗|都有|占了?多|什么占|占满|写了什么|写的什么|写了啥|内容是|内容|里面|在哪|什么内容|讲了什么|说了什么|叫什么`,
})

export const PERMISSION = words({
  nouns: 'permission|owner|ownership|read-only|executable|writable|timestamp',
  zh: '权限|可执行|只读|属主|所有者|时间戳',
})
