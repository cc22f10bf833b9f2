/** Changing code, and version control. */
import { CODE, FIX, IMPERATIVE, PERMISSION, SOFTWARE, SOURCE } from './shared.ts'
import { type Cue, MASK, words } from './words.ts'

const { folder } = MASK

const FAILURE = words({
  nouns: `
    bug|bugs|crash|exception|compile error|type error|build|memory leak|leak|race condition|deadlock|
    stack trace|traceback|segfault|null pointer|regression|ci|pipeline|lint|warning|failing test|test|compile|compilation|off-by-one|infinite loop|vulnerability|typo in (?:the )?(?:code|function|variable)|edge case|
    merge conflict|compatibility issue|syntax error|runtime error|import error|undefined|nan|flaky|
    timeout issue|performance issue`,
  plain: `
    \\b(?:crash(?:es|ed|ing)|errors?\\b(?! (?:in|of) (?:this|my|the) (?:sentence|essay|paragraph|email|
    letter|text|grammar)))`,
  zh: `
    缺陷|报错|错误(?!答案|观念)|崩溃|闪退|异常|泄漏|泄露|空指针|死锁|竞态|越界|编译|构建失败|类型错|告警|
    用例|测试失败|失败的测试|兼容|漏洞|死循环|流水线|冲突|卡顿|乱码|性能问题`,
})

const EDIT = words({
  verbs: `
    add|change|update|edit|modify|replace|rewrite|optimize|optimise|improve|convert|migrate|port|upgrade|
    bump|extract|inline|simplify|implement|write|build|develop|generate|design|introduce|support|wrap|
    handle|extend|integrate|decouple|comment|document|format|cover|finish|complete|scaffold|annotate|adjust|
    tweak|swap|turn|enable|expose|hook|wire|validate|cache|deduplicate|vectorize|parallelize`,
  plain: '\\b(?:speed up|clean up|set up|turn into|hook up|give (?:the|this|our|each|every))\\b',
  zh: `
    修改|更改|改成|改为|改写|改造|改用|改到|改一?改|改一下|改进|改(?!名)|加上|加个|加一|增加|添加|加(?!密|
    载|入)|补上|补充|补齐|补|新增|编写|写(?![了的](?:什么|啥|哪|多少))|实现|优化|升级|升到|抽成|抽取|抽出|提取|拆分|拆成|封装|替换|换成|
    迁移|移植|更新(?!内容|日志|说明|记录|情况)|完善|支持|集成|接入|开发(?!者|人员|$|工程师|岗|板|商|的|经验)|做一个|
    做个|搭建?|搭一个|生成|重写|简化|适配|转成|转换|弄个|整一个|注释|覆盖|过滤|转义|拦截|捕获|抛出|校验|
    升(?=级|到)|来一?个`,
})

/** Also said of files, so they count only together with something that is certainly code. */
const RESHAPE = words({
  verbs: 'create|make|remove|delete|drop|rename|move|split|merge|reuse|need|put',
  plain: '\\bget rid of\\b',
  zh: '删掉|删除|删|去掉|移除|创建|新建|重命名|改名|拆|挪|合并',
})

const SEEKS = words({
  plain: '^(?:search|look|google|research|find out|check online|read up)\\b',
  zh: '^(?:查|搜|检索|调研|上网|百度|谷歌|[在去到]网上|联网|网上)',
})

const FOLDERS = words({ nouns: 'folder|directory|directories|dir|subfolder', plain: folder, zh: '文件夹|资料夹|目录' })

/** Words that are rarely used except of programs. */
const CODE_SURE = words({
  nouns: `
    function|module|unit test|test suite|codebase|source code|compiler|endpoint|database|transaction|jest|
    vitest|pytest|mocha|webpack|vite|docker|dockerfile|kubernetes|ci|npm|eslint|prettier|typescript|
    javascript|regex|sql|orm|graphql|dependency|dependencies|middleware|null check|stack trace|hook|struct|
    enum|microservice|repo|backend|frontend|api client|linter|semaphore|mutex|thread pool|async|schema|
    boilerplate|css|html|git|branch|pull request|pr`,
  zh: '代码|函数|模块|接口|单元测试|单测|测试用例|测试|数据库|事务|依赖|编译|脚本|前端|后端|变量|中间件|正则|重构|分支|组件|流水线|单例|线程池|数据结构',
})

const ALTER = words({
  verbs: `
    add|prevent|implement|introduce|support|hide|disable|enable|collapse|align|center|hook|wire|validate|
    sanitize|handle|throttle|debounce|memoize|paginate|optimize|optimise|refresh|show|bump|upgrade|
    downgrade|integrate|swap|switch|replace|rename|extend|expose|deprecate|deploy|set|increase|reduce|raise|
    lower|cap|limit|restrict|make|get|speed|slim|shrink|trim|connect|update|change|move|remove|drop|persist|mock|stub|
    configure|containerize|dockerize|localize|build|use`,
  plain: '\\b(?:so that|up to date|should)\\b',
  zh: `
    加(?!密|载|入)|调一下|改|让|支持|防止|避免|去掉|隐藏|显示|禁用|启用|接到|接入|对接|换成|优化|适配|折叠|
    居中|提到|提升|增加|减少|限制|缩短|升级|配置|设置|打通|实现|补|抽|统一|兼容|压成|合成|调整|调成|瘦身|精简`,
})

const SYMPTOM = words({
  plain: `
    \\b(?:typeerror|referenceerror|syntaxerror|valueerror|keyerror|nullpointerexception|traceback|
    stack ?trace|segfault|core dump|undefined is not|cannot read propert|ts\\d{4}|e\\d{4}|exit code \\d+|
    npm err|module not found|cannot find module|connection refused|stack overflow error|out of memory)|
    \\b(?:npm|yarn|pnpm|pip|cargo|mvn|gradle|docker|pytest|jest|vitest|tsc|eslint|webpack|make|ci|build|app|
    page|parser|server|test|tests|compiler|pipeline|picker|component|query|script)\\b.*\\b(?:throw|throws|
    fail|fails|failing|failed|crash|crashes|crashing|broken|wrong|hangs?|error|errors|times? out|timing out|
    freezes|slow|flaky|too long|twice|duplicated?|doesn't|does not|isn't|won't|returns? (?:null|undefined|
    nan|the wrong))\\b`,
  zh: `
    (?:编译|构建|测试|启动|运行|页面|按钮|接口|程序|服务|组件|脚本|用例|build|test|ci|app).{0,10}(?:报错|
    报 |失败|崩|挂了|红了|出错|不对|不显示|没反应|超时|卡死|太慢|太长|异常|闪退|乱码|白屏|不通过)|
    显示.{0,6}(?:不对|错误|异常)`,
})

const TINKER = words({
  verbs: 'change|fix|update|modify|replace|set|bump|correct|optimize|optimise|refactor|rewrite',
  zh: '改成|改为|修改|改一下|修复|修一下|替换|换成|改',
})

const REFACTOR = words({
  verbs:
    'refactor|debug|lint|implement|decouple|parallelize|memoize|dockerize|containerize|transpile|serialize|deserialize|hardcode|recompile|unit-test|monkeypatch|typecheck',
  plain: '\\b(?:clean up|tidy up) (?:the |this |my |our )?(?:code|module|class|function|imports)\\b',
  zh: '重构|调试|调优|解耦|打桩|内联|容器化|实现(?!梦|目标|愿望|价值|财务|自由|了|人生)|改代码|写代码|改 ?bug|修 ?bug|敲代码|重写(?!这[句段]|作文|文章)',
})

const GIT = words({
  verbs: 'commit|push|merge|rebase|revert|cherry-pick|stash|squash|check out',
  plain: '\\bopen a pr\\b|\\b(?:pull|merge) request\\b|\\bgit\\b',
  zh: '(?:回滚|撤销|撤回|合并|压缩|修改).{0,8}提交|压成|提交|合并|回滚|推送|变基|拉分支|切分支|推到|撤销',
})

const REPO = words({
  nouns: `
    change|branch|pr|pull request|merge request|(?:last|latest|previous|this|that|the|these|three|two|
    \\d+) commit|master|main|repo|repository|remote|origin|diff|work|codebase|code`,
  zh: '(?:次|个|条) ?(?:提交|commit)|代码|改动|更改|修改|分支|合并请求|仓库|主干|远程',
})

const LANGUAGE = words({
  plain: `
    \\b(?:python|javascript|typescript|java|golang|go|rust|kotlin|swift|c\\+\\+|c#|ruby|php|bash|shell|sql|
    react|vue|node|html|css|perl|scala|haskell|lua|powershell)\\b`,
})

const WRITE = words({
  verbs: `
    write|create|build|make|develop|implement|code|program|generate|give|need|want|port|rewrite|convert|
    translate`,
  zh: '写|实现|编写|做|开发(?!者|人员|$|工程师|岗|板|商|的|经验)|生成|弄|整|搞|改写|转成|来',
})

const IT = words({
  plain: "\\b(?:it|this|that|them|asap|the (?:issue|problem)|what(?:ever)?(?: is|'s) (?:wrong|broken))\\b",
  zh: '它|这个|一下|掉|下',
})

const TEST_OUTCOME = words({
  plain: `
    \\b(?:tests?|build|ci|pipeline|lint|type ?check|suite)\\b.*\\b(?:pass(?:es|ing)?|green|succeeds?|
    compiles?|work(?:s|ing)?|fail(?:s|ing|ed)?|broken|red)\\b|\\b(?:code|project|app|program|
    it)\\b.*\\bcompiles?\\b`,
  zh: '(?:测试|单测|用例).*(?:红|绿|挂)|测试.*(?:通过|跑通|过)|编译(?:通过|不过|失败|错误)|(?:构建|流水线|ci).*(?:通过|失败|挂|变绿)',
})

const MAKE_SO = words({
  verbs: 'make|get|fix|ensure|bring|turn|help',
  plain: '\\bso that\\b|\\bsort (?:it|this|that|them )?\\s?out\\b',
  zh: '让|使|修|确保|保证|解决|搞定|跑通|弄|帮|把',
})

export const CODE_CUES: readonly Cue[] = [
  { name: 'refactor', all: [REFACTOR] },
  { name: 'fix a failure', all: [FIX, FAILURE], none: [SEEKS] },
  { name: 'fix code', all: [FIX, CODE], none: [SEEKS] },
  { name: 'fix a source file', all: [FIX, SOURCE] },
  { name: 'change code', all: [EDIT, CODE], none: [SEEKS] },
  { name: 'edit a source file', all: [EDIT, SOURCE], none: [SEEKS, PERMISSION] },
  { name: 'change a source file', all: [TINKER, SOURCE], none: [PERMISSION], across: true },
  { name: 'reshape code', all: [RESHAPE, CODE], none: [SEEKS, FOLDERS] },
  { name: 'write in a language', all: [WRITE, LANGUAGE] },
  { name: 'make it pass', all: [MAKE_SO, TEST_OUTCOME], across: true },
  { name: 'version control', all: [GIT, REPO] },
  { name: 'fix it', all: [FIX, IT], weak: true },
  { name: 'act on code', all: [IMPERATIVE, CODE_SURE], none: [SEEKS, FOLDERS], weak: true },
  { name: 'fix software', all: [FIX, SOFTWARE], none: [SEEKS, FOLDERS], weak: true },
  { name: 'a program misbehaves', all: [SYMPTOM], none: [SEEKS], weak: true },
  { name: 'change software', all: [ALTER, SOFTWARE], none: [SEEKS, FOLDERS], weak: true },
]
