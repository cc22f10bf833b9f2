/** Texts of `writ hooks`. */
import type { Lang } from '../i18n/locale.ts'

const en = {
  installed: (p: { agent: string; file: string }) => `Installed: every call of ${p.agent} is now judged (${p.file}).`,
  codexTrust: 'Start `codex` once and trust the new hooks: until then Codex does not run them.',
  notSandboxed: 'What the agent does is judged before it happens; it is not sandboxed.',
  asksByDefault:
    'Unless your settings say otherwise, every change and every command now needs approval: see "What you allow" in docs/guides/hooks.md.',
  removed: (p: { agent: string; file: string }) => `Removed from ${p.file}: calls of ${p.agent} are no longer judged.`,
  nothing: (p: { agent: string; files: readonly string[] }) =>
    `There are no hooks of Writ for ${p.agent} in ${p.files.join(' or ')}. Hooks of a project are removed in its folder.`,
  columns: { agent: 'agent', where: 'where', state: 'state', file: 'file' },
  places: { user: 'user', project: 'project', organisation: 'organisation' },
  states: {
    on: 'on',
    off: 'off',
    broken: 'broken: its program is gone',
    untrusted: 'not trusted: start `codex` and trust it',
  },
  switchedOff: (p: { agent: string; file: string; setting: string }) =>
    `Nothing is judged here: ${p.file} switches all hooks of ${p.agent} off (${p.setting}).`,
  unjudged: (p: { agent: string; count: number; newest: string }) =>
    `Not judged: ${p.count} ${p.count === 1 ? 'session' : 'sessions'} of ${p.agent} ran without hooks since they were installed; the newest: ${p.newest}. Look in its project for settings that switch hooks off.`,
  daemon: (p: { pid: number; data: string }) => `daemon: running (process ${p.pid}), journal in ${p.data}`,
  noDaemon: (p: { data: string }) => `daemon: starts with the first call, journal in ${p.data}`,
  serving: (p: { folder: string }) => `Answering hooks on ${p.folder}/socket. Ctrl-C ends it.`,
  running: 'A daemon already answers on this socket.',
}

export type HooksTexts = typeof en

const zh: HooksTexts = {
  installed: ({ agent, file }) => `已安装：${agent} 的每次调用都由闸门裁决（${file}）。`,
  codexTrust: '请启动一次 `codex` 并信任新的钩子：在此之前 Codex 不会运行它们。',
  notSandboxed: '智能体的行为在发生前由闸门裁决，但不在沙箱中运行。',
  asksByDefault:
    '除非你的设置另有规定，现在每次更改和每条命令都需要审批：见 docs/guides/hooks.zh-CN.md 的“你允许什么”。',
  removed: ({ agent, file }) => `已从 ${file} 移除：${agent} 的调用不再由闸门裁决。`,
  nothing: ({ agent, files }) =>
    `${files.join(' 和 ')} 中没有 Writ 为 ${agent} 安装的钩子。项目的钩子请在其目录中移除。`,
  columns: { agent: '智能体', where: '位置', state: '状态', file: '文件' },
  places: { user: '用户', project: '项目', organisation: '组织' },
  states: {
    on: '已启用',
    off: '未启用',
    broken: '已损坏：其程序不存在',
    untrusted: '未受信任：请启动 `codex` 并信任它',
  },
  switchedOff: ({ agent, file, setting }) => `此处不会裁决任何调用：${file} 关闭了 ${agent} 的所有钩子（${setting}）。`,
  unjudged: ({ agent, count, newest }) =>
    `未经裁决：安装钩子以来，${agent} 有 ${count} 个会话没有运行钩子；最新的是 ${newest}。请检查其项目中是否有关闭钩子的设置。`,
  daemon: ({ pid, data }) => `守护进程：运行中（进程 ${pid}），日志位于 ${data}`,
  noDaemon: ({ data }) => `守护进程：首次调用时启动，日志位于 ${data}`,
  serving: ({ folder }) => `正在 ${folder}/socket 上响应钩子。按 Ctrl-C 结束。`,
  running: '该套接字上已有守护进程在响应。',
}

const TEXTS: Record<Lang, HooksTexts> = { en, zh }

export function hooksTexts(lang: Lang): HooksTexts {
  return TEXTS[lang]
}
