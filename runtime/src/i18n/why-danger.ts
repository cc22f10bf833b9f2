/** What makes a shell line dangerous. */
import { reason } from './why-entry.ts'

type Program = { base: string }

export const DANGER_REASONS = {
  otherUser: reason<Program>(
    ({ base }) => `${base} runs as another user`,
    ({ base }) => `${base} 以其他用户的身份运行`,
  ),
  changesDisks: reason<Program>(
    ({ base }) => `${base} changes disks`,
    ({ base }) => `${base} 会更改磁盘`,
  ),
  stopsMachine: reason<Program>(
    ({ base }) => `${base} stops the machine`,
    ({ base }) => `${base} 会关闭或重启机器`,
  ),
  outlivesRun: reason<Program>(
    ({ base }) => `${base} schedules work that outlives this run`,
    ({ base }) => `${base} 会安排在本次运行结束后仍会执行的任务`,
  ),
  changesKernel: reason<Program>(
    ({ base }) => `${base} changes the kernel`,
    ({ base }) => `${base} 会更改内核`,
  ),
  changesFirewall: reason<Program>(
    ({ base }) => `${base} changes the firewall`,
    ({ base }) => `${base} 会更改防火墙`,
  ),
  changesAccounts: reason<Program>(
    ({ base }) => `${base} changes accounts`,
    ({ base }) => `${base} 会更改账户`,
  ),
  readsHistory: reason<Program>(
    ({ base }) => `${base} reads the shell history`,
    ({ base }) => `${base} 会读取 shell 历史记录`,
  ),
  leavesFileSystem: reason<Program>(
    ({ base }) => `${base} leaves its file system`,
    ({ base }) => `${base} 会离开当前的文件系统`,
  ),
  wholeTree: reason<Program>(
    ({ base }) => `${base} of everything below a root, a home folder or the current folder`,
    ({ base }) => `${base} 会作用于根目录、主目录或当前目录下的全部内容`,
  ),
  ownerRights: reason(
    () => 'chmod gives a program its owner’s rights',
    () => 'chmod 会让程序以文件所有者的权限运行',
  ),
  writesDevice: reason(
    () => 'dd writes to a device',
    () => 'dd 会写入设备',
  ),
  setsClock: reason(
    () => 'date sets the clock of the machine',
    () => 'date 会修改系统时间',
  ),
  networkShell: reason<Program>(
    ({ base }) => `${base} gives the network a shell`,
    ({ base }) => `${base} 会向网络开放 shell`,
  ),
  changesServices: reason(
    () => 'systemctl changes services',
    () => 'systemctl 会更改系统服务',
  ),
  wholeMachine: reason<Program>(
    ({ base }) => `${base} reaches the whole machine`,
    ({ base }) => `${base} 能访问整台机器`,
  ),
  selfCalling: reason<{ name: string }>(
    ({ name }) => `the function ${name} calls itself`,
    ({ name }) => `函数 ${name} 会调用自身`,
  ),
  writesTo: reason<{ path: string }>(
    ({ path }) => `it writes to ${path}`,
    ({ path }) => `会写入 ${path}`,
  ),
  rawConnection: reason(
    () => 'it opens a raw connection',
    () => '会直接打开网络连接',
  ),
  credentials: reason(
    () => 'it touches credentials or history',
    () => '会访问凭据或历史记录',
  ),
  findDeletes: reason(
    () => 'find deletes below a root or a home folder',
    () => 'find 会删除根目录或主目录下的内容',
  ),
  shreds: reason(
    () => 'shred destroys files for good',
    () => 'shred 会永久销毁文件',
  ),
  removesRoot: reason(
    () => 'rm of a root, a home folder or the current folder',
    () => 'rm 会删除根目录、主目录或当前目录',
  ),
  removesUnknown: reason(
    () => 'rm -r of a path that is only known when it runs',
    () => 'rm -r 要删除的路径在运行时才能确定',
  ),
  killsAll: reason(
    () => 'kill of every process',
    () => 'kill 会结束所有进程',
  ),
  killsByName: reason<Program>(
    ({ base }) => `${base} ends programs by name`,
    ({ base }) => `${base} 会按名称结束程序`,
  ),
  killsUser: reason(
    () => 'pkill of a whole user',
    () => 'pkill 会结束某个用户的所有程序',
  ),
  runsOutput: reason<Program>(
    ({ base }) => `${base} runs the output of another command`,
    ({ base }) => `${base} 会执行另一个命令的输出`,
  ),
  runsDownload: reason<Program>(
    ({ base }) => `${base} runs what was downloaded`,
    ({ base }) => `${base} 会执行下载的内容`,
  ),
  runsEncoded: reason<Program>(
    ({ base }) => `${base} runs encoded text`,
    ({ base }) => `${base} 会执行经过编码的文本`,
  ),
  runsPrinted: reason<Program>(
    ({ base }) => `${base} runs what another command prints`,
    ({ base }) => `${base} 会执行另一个命令打印的内容`,
  ),
  writesProtected: reason(
    () => 'it writes protected files',
    () => '会写入受保护的文件',
  ),
  deletesFiles: reason<{ paths: string; more: number }>(
    ({ paths, more }) => `it deletes ${paths}${more > 0 ? ` and ${more} more` : ''}`,
    ({ paths, more }) => `会删除 ${paths}${more > 0 ? `，另有 ${more} 个` : ''}`,
  ),
  writesAutorun: reason(
    () => 'it writes files that other programs run or follow',
    () => '会写入其他程序会执行或遵循的文件',
  ),
}
