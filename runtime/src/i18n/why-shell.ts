/** Why a shell line is not fully understood. */
import { reason } from './why-entry.ts'

type Program = { base: string }
type Part = { text: string }
type Variable = { name: string }

const LATER = 'is only known when it runs'
const LATER_ZH = '运行时才能确定'

export const SHELL_REASONS = {
  nulByte: reason(
    () => 'it contains a NUL byte',
    () => '含有 NUL 字节',
  ),
  lineTooLong: reason<{ max: number }>(
    ({ max }) => `it is longer than ${max} characters`,
    ({ max }) => `超过 ${max} 个字符`,
  ),
  invisible: reason<{ character: string }>(
    ({ character }) => `it contains the invisible character ${character}`,
    ({ character }) => `含有不可见字符 ${character}`,
  ),
  parseTimeout: reason(
    () => 'it takes too long to parse',
    () => '解析耗时过长',
  ),
  syntax: reason<{ why: string }>(
    ({ why }) => why,
    ({ why }) => `语法错误：${why}`,
  ),
  lineNotParsed: reason<{ why: string }>(
    ({ why }) => `it could not be parsed: ${why}`,
    ({ why }) => `无法解析：${why}`,
  ),
  notParsed: reason<Part>(
    ({ text }) => `${text} could not be parsed`,
    ({ text }) => `无法解析 ${text}`,
  ),
  nestedTooDeep: reason(
    () => 'commands are nested too deeply',
    () => '命令嵌套过深',
  ),
  notSupported: reason<Part>(
    ({ text }) => `${text} is not supported`,
    ({ text }) => `不支持 ${text}`,
  ),
  notInSh: reason<Part>(
    ({ text }) => `sh does not support ${text}`,
    ({ text }) => `sh 不支持 ${text}`,
  ),
  coprocess: reason(
    () => 'it starts a coprocess',
    () => '会启动协进程',
  ),
  selectWaits: reason(
    () => 'select waits for input',
    () => 'select 会等待输入',
  ),
  folderTooOften: reason(
    () => 'it changes the folder too often to follow',
    () => '切换目录的次数过多，无法跟踪',
  ),
  folderInLoop: reason(
    () => 'it changes the folder inside a loop or function',
    () => '会在循环或函数中切换目录',
  ),
  folderLater: reason(
    () => `the folder it changes to ${LATER}`,
    () => `要切换到的目录${LATER_ZH}`,
  ),
  functionFolder: reason<Variable>(
    ({ name }) => `the folder of the function ${name} ${LATER}`,
    ({ name }) => `函数 ${name} 所在的目录${LATER_ZH}`,
  ),
  trapFolder: reason(
    () => `the folder of a trap ${LATER}`,
    () => `trap 所在的目录${LATER_ZH}`,
  ),
  programFolder: reason<Program>(
    ({ base }) => `in which folder ${base} runs ${LATER}`,
    ({ base }) => `${base} 在哪个目录中运行，${LATER_ZH}`,
  ),
  valueLater: reason<Variable>(
    ({ name }) => `the value of ${name} ${LATER}`,
    ({ name }) => `${name} 的值${LATER_ZH}`,
  ),
  setAgain: reason<Variable>(
    ({ name }) => `${name} is set again in its own loop`,
    ({ name }) => `${name} 在自己的循环中被重新设置`,
  ),
  replacesCommand: reason<Variable>(
    ({ name }) => `the function ${name} replaces a command`,
    ({ name }) => `函数 ${name} 会取代一个命令`,
  ),
  execPasses: reason(
    () => 'exec passes a text to every later command',
    () => 'exec 会把文本传给之后的每个命令',
  ),
  programLater: reason<Part>(
    ({ text }) => `the program ${text} ${LATER}`,
    ({ text }) => `程序 ${text} ${LATER_ZH}`,
  ),
  changesMeaning: reason<Program>(
    ({ base }) => `${base} changes what later commands mean`,
    ({ base }) => `${base} 会改变之后命令的含义`,
  ),
  changesReading: reason(
    () => 'set changes how the line is interpreted',
    () => 'set 会改变这一行的解释方式',
  ),
  waitSets: reason(
    () => 'wait sets a variable',
    () => 'wait 会设置变量',
  ),
  nameLater: reason(
    () => `the variable it sets ${LATER}`,
    () => `要设置的变量${LATER_ZH}`,
  ),
  testLater: reason(
    () => `the operator of test ${LATER}`,
    () => `test 的运算符${LATER_ZH}`,
  ),
  evaluatesOtherwise: reason<Program>(
    ({ base }) => `${base} changes how a variable is evaluated`,
    ({ base }) => `${base} 会改变变量的求值方式`,
  ),
  letLater: reason(
    () => `what let evaluates ${LATER}`,
    () => `let 求值的内容${LATER_ZH}`,
  ),
  printfSets: reason(
    () => `whether printf sets a variable ${LATER}`,
    () => `printf 是否设置变量，${LATER_ZH}`,
  ),
  readOption: reason<{ option: string }>(
    ({ option }) => `the option ${option} of read is not supported`,
    ({ option }) => `不支持 read 的选项 ${option}`,
  ),
  mapfileLater: reason(
    () => `an option of mapfile ${LATER}`,
    () => `mapfile 的选项${LATER_ZH}`,
  ),
  mapfileRuns: reason<{ option: string }>(
    ({ option }) => `mapfile ${option} can run commands`,
    ({ option }) => `mapfile ${option} 可能运行命令`,
  ),
  subscript: reason(
    () => '[[ -v evaluates a subscript',
    () => '[[ -v 会对下标求值',
  ),
  testNotSupported: reason(
    () => '[[ contains an unsupported test',
    () => '[[ 含有不支持的判断',
  ),
  textNotCertain: reason<Part>(
    ({ text }) => `the text of ${text} is not certain`,
    ({ text }) => `${text} 的文本不确定`,
  ),
  quotingNotCertain: reason<Part>(
    ({ text }) => `the quoting in ${text} is not certain`,
    ({ text }) => `${text} 中的引号不确定`,
  ),
  translationLater: reason<Part>(
    ({ text }) => `the translation of ${text} ${LATER}`,
    ({ text }) => `${text} 的译文${LATER_ZH}`,
  ),
  expansionNotSupported: reason(
    () => 'it contains an unsupported expansion',
    () => '含有不支持的展开',
  ),
  variableBehind: reason<Part>(
    ({ text }) => `the variable behind ${text} ${LATER}`,
    ({ text }) => `${text} 指向的变量${LATER_ZH}`,
  ),
  evaluatesContent: reason<Part>(
    ({ text }) => `${text} evaluates the content of the variable`,
    ({ text }) => `${text} 会对变量的内容求值`,
  ),
  arithmetic: reason<Part>(
    ({ text }) => `${text} is evaluated as arithmetic, which can run commands`,
    ({ text }) => `${text} 会作为算术式求值，可能运行命令`,
  ),
  contentArithmetic: reason<Variable>(
    ({ name }) => `the content of ${name} is evaluated as arithmetic, which can run commands`,
    ({ name }) => `${name} 的内容会作为算术式求值，可能运行命令`,
  ),
  evaluatesList: reason<Program>(
    ({ base }) => `${base} evaluates the text of a list`,
    ({ base }) => `${base} 会对列表的文本求值`,
  ),
  setsForPrograms: reason<Variable>(
    ({ name }) => `it sets ${name} for programs, which can make them do something else`,
    ({ name }) => `会为程序设置 ${name}，可能改变它们的行为`,
  ),
  notPlainValue: reason<Variable>(
    ({ name }) => `it sets ${name} to something that is not a plain value`,
    ({ name }) => `会把 ${name} 设为并非普通值的内容`,
  ),
  variableLater: reason<Part>(
    ({ text }) => `the variable ${text} ${LATER}`,
    ({ text }) => `变量 ${text} ${LATER_ZH}`,
  ),
  changesNames: reason<Variable>(
    ({ name }) => `it sets ${name}, which can change what later names mean`,
    ({ name }) => `会设置 ${name}，可能改变之后名称的含义`,
  ),
  readsLater: reason<Program>(
    ({ base }) => `what ${base} reads ${LATER}`,
    ({ base }) => `${base} 读取的内容${LATER_ZH}`,
  ),
  startsLater: reason<Program>(
    ({ base }) => `what ${base} starts ${LATER}`,
    ({ base }) => `${base} 启动的程序${LATER_ZH}`,
  ),
  startsLaterOption: reason<Program & { option: string }>(
    ({ base, option }) => `what ${base} starts (option ${option}) ${LATER}`,
    ({ base, option }) => `${base} 启动的程序（选项 ${option}）${LATER_ZH}`,
  ),
  runsLater: reason<Program>(
    ({ base }) => `what ${base} runs ${LATER}`,
    ({ base }) => `${base} 运行的内容${LATER_ZH}`,
  ),
  runsLaterOption: reason<Program & { option: string }>(
    ({ base, option }) => `what ${base} runs (option ${option}) ${LATER}`,
    ({ base, option }) => `${base} 运行的内容（选项 ${option}）${LATER_ZH}`,
  ),
  madeCommand: reason(
    () => `a command made of variables or output ${LATER}`,
    () => `由变量或输出拼成的命令${LATER_ZH}`,
  ),
  lineLater: reason<Program>(
    ({ base }) => `what ${base} makes of its line ${LATER}`,
    ({ base }) => `${base} 如何解释这一行，${LATER_ZH}`,
  ),
  handedLater: reason<Program>(
    ({ base }) => `what is handed to ${base} ${LATER}`,
    ({ base }) => `传给 ${base} 的内容${LATER_ZH}`,
  ),
  pipedLater: reason<Program>(
    ({ base }) => `what is piped into ${base} ${LATER}`,
    ({ base }) => `通过管道传给 ${base} 的内容${LATER_ZH}`,
  ),
  filesLater: reason<Program>(
    ({ base }) => `the files of ${base} are only known when it runs`,
    ({ base }) => `${base} 涉及的文件${LATER_ZH}`,
  ),
  typedLater: reason(
    () => 'it runs in a terminal, and what is typed there later is not judged',
    () => '它在终端中运行，之后输入的内容不会被判断',
  ),
  folderUnseen: reason(
    () => 'the folder it runs in is not known',
    () => '不知道它在哪个目录中运行',
  ),
  redirectionLater: reason(
    () => 'the files of a redirection are only known when it runs',
    () => `重定向的文件${LATER_ZH}`,
  ),
  optionLater: reason<Program & { option: string }>(
    ({ base, option }) => `the effect of ${option} on ${base} ${LATER}`,
    ({ base, option }) => `${option} 对 ${base} 的作用${LATER_ZH}`,
  ),
  machineLater: reason<Program>(
    ({ base }) => `the machine that ${base} calls ${LATER}`,
    ({ base }) => `${base} 连接的机器${LATER_ZH}`,
  ),
  sentFilesLater: reason(
    () => 'the files that curl sends are only known when it runs',
    () => `curl 发送的文件${LATER_ZH}`,
  ),
  matchesMany: reason<Part>(
    ({ text }) => `${text} matches too many files to check`,
    ({ text }) => `${text} 匹配的文件过多，无法逐一检查`,
  ),
  nameAsOption: reason<Program & { name: string }>(
    ({ base, name }) => `${base} reads the file name ${name} as an option`,
    ({ base, name }) => `${base} 会把文件名 ${name} 当作选项`,
  ),
  mentionsBlocked: reason<Program & { path: string }>(
    ({ base, path }) => `the code for ${base} mentions ${path}, which is blocked`,
    ({ base, path }) => `给 ${base} 的代码提到了禁止访问的 ${path}`,
  ),
  sweepsMany: reason<Program & { path: string }>(
    ({ base, path }) => `${base} reads everything below ${path}, which has too many files to check`,
    ({ base, path }) => `${base} 会读取 ${path} 下的全部内容，文件过多，无法逐一检查`,
  ),
  sweepsClosed: reason<Program & { path: string; file: string }>(
    ({ base, path, file }) => `${base} reads everything below ${path}, including ${file}, which is closed`,
    ({ base, path, file }) => `${base} 会读取 ${path} 下的全部内容，包括禁止读取的 ${file}`,
  ),
}
