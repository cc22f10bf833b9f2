/** Handling files and folders, and questions about them. */
import { FIX, IMPERATIVE, PERMISSION, SOURCE, WHICH } from './shared.ts'
import { type Cue, MASK, words } from './words.ts'

const { file, source, folder, quote } = MASK

const HANDLE = words({
  verbs: `
    move|rename|copy|delete|remove|list|create|make|read|open|show|view|print|display|find|locate|search|
    grep|zip|unzip|compress|archive|extract|unpack|untar|organize|organise|sort|clean|tidy|save|write|
    append|backup|count|check|merge|concatenate|split|put|store|compare|diff|touch|summarize|summarise|add|
    drop|erase|wipe|trash|purge|empty|duplicate|transfer|relocate|look|tell|dump|scan|get|collect|gather|
    group|place|inspect|parse|load|export|encrypt|restore|keep|total|sum|tally|edit|update|
    change|replace|convert|translate|prune|leave|shift|stash|throw|walk|batch|mirror|sync`,
  plain: `
    \\b(?:set up|clear(?: out)?|get rid of|back up|gone|throw away|go through|read-only|chmod|chown|ls|cat|
    rm|mv|cp|mkdir|tail|head|wc|tree|du)\\b`,
  zh: `
    移动|移到|移至|移进|移入|移|挪|搬|重命名|改名|命名|复制|拷贝|拷|备份|删除|删掉|删了|删|清空|清理|清掉|
    清除|列出|列一下|列举|列|创建|新建|建一个|建个|建|读取|读一下|读|打开|查看|看看|看一下|看下|看|显示|
    展示|找出|找到|找找|找|查找|查一下|查|搜索|搜一下|搜|打包|压缩|解压|整理|归档|分类|保存|存成|存到|存为|
    存进|存入|存|写入|写到|写进|写|追加|统计|数一下|数数|检查|确认|合并|拆分|放进|放到|放入|放|对比|
    比较(?!好|大|小|快|慢|合适|合理)|比对|总结|概括|导出|转移|扔|丢|加密|恢复|生成|修改|编辑|更新|替换|翻译|
    汇总|同步|转成|转换|扫描|遍历|批量|收集|归类|归归类|腾|塞|改成|改为|提取|抽取|换成|改|占|截取|另存|打印|
    输出|分到|去掉|截掉|插入|覆盖|改动|归拢|筛`,
})

const FILES = words({
  nouns: `
    file|folder|directory|directories|dir|subfolder|subdirector(?:y|ies)|file ?name|recycle bin|filesystem`,
  plain: `[${file}${folder}]|\\b(?:makefile|dockerfile)\\b|\\bon (?:my|this|the) (?:disk|hard drive|hard disk|computer|machine|laptop|drive)\\b`,
  zh: '文件(?!名言|柜|袋)|档案|文件夹|资料夹|目录(?!大纲|结构建议)|子目录|文件名|回收站|桌面上|磁盘|硬盘|(?:当前|这个|该)路径',
})

const MAYBE_FILES = words({
  nouns: `
    pdf|csv|spreadsheet|screenshot|photo|picture|image|log|backup|document|doc|archive|download|desktop|
    config|trash|invoice|mp3|video|zip|excel|duplicate|disk|hard drive|workspace`,
  zh: '表格|截图|照片|图片|日志|备份|文档|压缩包|下载(?!量)|桌面|配置|视频|发票|音乐|工作区|安装包|合同|素材|录音',
})

const COMMAND = words({
  plain: `
    ^(?:run |execute |跑一下 ?|执行 ?)?(?:(?:ls|rm|mv|cp|mkdir|rmdir|chmod|chown|grep|rg|
    pwd)(?= [-\\w*.]| ?[${file}${source}${folder}]|$| ?一下)|(?:cat|touch|find|head|tail|wc|tar|du|df|tree|
    unzip|ln|stat)(?= -| ?[${file}${source}${folder}]|$| ?一下))`,
})

const HERE = words({
  plain: `
    \\b(?:in|inside|under|within|of|from|on|at) (?:the|this|my|our|your|that|current|each) |\\b(?:this|
    current|my|our) (?:folder|director|repo|project|file)|[${file}${folder}${source}]|\\b(?:in|inside|
    under) [\\w.-]+(?: folder| director|$)|\\bin (?:the repo|here)\\b|\\bhow many (?:files|folders|subfolders|directories|lines)\\b|\\b(?:the|my|any|our|
    all) (?:[\\w.-]+ ){0,2}(?:files?|folders?|director)`,
  zh: `当前|这个|那个|该|此|我|里|下面|目录下|下都|下有|中|占|[\\w-]+ ?(?:文件夹|目录)|[${file}${folder}${source}]`,
})

const PROJECT = words({
  nouns: 'this project|the project|this repo|the repo|workspace|project tree|directory tree',
  zh: '项目(?:里|下|的目录|目录|结构)|仓库里|工作区|目录树',
})

/** Saving a result afterwards is not what the task is about. */
const SAVE_IT = words({
  plain: `
    ^(?:save|store|put|write|dump|export) (?:it|them|this|that|the (?:results?|output|report|data|title|
    file|answer|list|summary))\\b|^(?:save|saving|write) (?:to|as|into)\\b`,
  zh: '^(?:保存|存|写|导出|输出|存放|总结|汇总)(?:到|成|为|进|入|在)|^(?:把|将).{0,6}(?:存|保存|写)(?:到|成|进|入|为)',
})

const DOWNLOADING = words({
  plain: '\\bdownload(?:ing)?\\b(?!s? (?:folder|director))',
  zh: '下载(?:到|下来|至|回来)|下载 ?[\\ue001]',
})

const PATHS = new RegExp(`[${file}${folder}${source}]`, 'u')

const ADVICE = words({
  plain: `
    \\b(?:good way|best way|better way|how (?:do|does|can|could|should|would|to)|should i|is it (?:safe|ok|
    okay|possible|bad)|difference|purpose|point of|meaning|mean|what is an?|what's an?|what are|why)\\b`,
  zh: '习惯|干什么用|干嘛用|用途|作用|方法|技巧|好处|怎么|如何|为什么|什么是|区别|可以.{1,6}吗|能.{1,4}吗|建议|思路|最佳实践|原则',
})

const WRITE_TO = words({
  plain: `
    \\b(?:to|into|as|in|called|named|at|
    onto)(?: an?| the| my| new| file| called| named| text)* ?[${file}${folder}${quote}]*[${file}${folder}]`,
  zh: `
    (?:存|保存|写|另存|输出|导出|放|记录|追加|落|整理|汇总)[^${file}]{0,6}(?:到|成|为|入|进|
    在) ?[^${file}，]{0,4}[${file}${folder}]|往 ?[${file}${source}]`,
})

const SAVE = words({
  verbs: 'save|write|store|append|put|export|dump|output|record',
  zh: '存|保存|写|另存|输出|导出|放|记录|追加|落|整理|汇总',
})

export const FILES_CUES: readonly Cue[] = [
  { name: 'handle files', all: [HANDLE, FILES], none: [SAVE_IT, DOWNLOADING] },
  { name: 'file permissions', all: [PERMISSION, PATHS] },
  { name: 'shell file command', all: [COMMAND] },
  { name: 'correct a file', all: [FIX, PATHS] },
  { name: 'handle a source file', all: [HANDLE, SOURCE], none: [SAVE_IT] },
  { name: 'write to a file', all: [SAVE, WRITE_TO], none: [SAVE_IT, DOWNLOADING] },
  { name: 'ask about files', all: [WHICH, FILES, HERE], none: [ADVICE], scope: 'withQuestions' },
  { name: 'ask about a path', all: [WHICH, PATHS], none: [ADVICE], scope: 'withQuestions', across: true, weak: true },
  { name: 'act on files', all: [IMPERATIVE, FILES], weak: true },
  { name: 'a path', all: [PATHS], none: [ADVICE], weak: true },
  { name: 'a project folder', all: [HANDLE, PROJECT], none: [ADVICE], weak: true },
  { name: 'save it', all: [SAVE_IT, PATHS], weak: true },
  { name: 'handle documents', all: [HANDLE, MAYBE_FILES], weak: true },
]
