/** Errors of the browser tools and of the guarded proxy. */
import { entry } from './entry.ts'
import { PRIVATE_HINT, PRIVATE_HINT_ZH } from './tool.ts'

/** Who was refused a connection, and to where. */
export interface RefusedRequest {
  place: string
  client: 'browser' | 'git' | 'command'
}

const CLIENTS = { browser: 'the browser', git: 'git', command: 'this command' }
const CLIENTS_ZH = { browser: '浏览器', git: 'git', command: '此命令' }

const refused = ({ place, client }: RefusedRequest) => `${CLIENTS[client]} may not connect to ${place}`
const refusedZh = ({ place, client }: RefusedRequest) => `${CLIENTS_ZH[client]}不得连接 ${place}`

export const BROWSER_ERRORS = {
  NO_PAGE: entry({
    en: () => ['no page is open', 'Use browser_open first.'],
    zh: () => ['没有打开的页面', '请先使用 browser_open。'],
  }),
  PAGE_STUCK: entry({
    retryable: true,
    en: () => ['the page did not respond and was closed', 'Open another page, or open this one again.'],
    zh: () => ['页面没有响应，已被关闭', '请打开其他页面，或重新打开此页面。'],
  }),
  BROWSER_FAILED: entry<{ executable: string; why: string }>({
    en: ({ executable, why }) => [
      `${executable} did not start: ${why}`,
      'Run `writ doctor`. If this Chromium is broken, set WRIT_CHROMIUM to another one.',
    ],
    zh: ({ executable, why }) => [
      `${executable} 无法启动：${why}`,
      '请运行 `writ doctor`。若这个 Chromium 已损坏，请用 WRIT_CHROMIUM 指定另一个。',
    ],
  }),
  TARGET_NOT_FOUND: entry<{ target: string }>({
    en: ({ target }) => [
      `no visible element on the page matches "${target}"`,
      'Use browser_read and give the number of a link or control.',
    ],
    zh: ({ target }) => [`页面上没有与 "${target}" 匹配的可见元素`, '请使用 browser_read，并给出链接或控件的编号。'],
  }),
  'TARGET_NOT_FOUND.number': entry<{ number: number }>({
    en: ({ number }) => [
      `there is no number ${number} on this page`,
      'Numbers come from the last browser_read of this page; read it again.',
    ],
    zh: ({ number }) => [`此页面上没有编号 ${number}`, '编号来自最近一次 browser_read，请重新读取此页面。'],
  }),
  TARGET_AMBIGUOUS: entry<{ target: string; count: number }>({
    en: ({ target, count }) => [
      `${count} visible elements match "${target}"`,
      'Use browser_read and give a number, or use a narrower CSS selector.',
    ],
    zh: ({ target, count }) => [
      `有 ${count} 个可见元素与 "${target}" 匹配`,
      '请使用 browser_read 并给出编号，或使用更精确的 CSS 选择器。',
    ],
  }),
  'BAD_URL.page': entry<{ text: string }>({
    en: ({ text }) => [`${text} is not the address of a web page`, 'Use an http:// or https:// address.'],
    zh: ({ text }) => [`${text} 不是网页地址`, '请使用 http:// 或 https:// 地址。'],
  }),
  'BAD_URL.pageCredentials': entry({
    en: () => ['the address contains a user name or password', 'Open it without them.'],
    zh: () => ['地址中含有用户名或密码', '请去掉后再打开。'],
  }),
  'DOMAIN_NOT_ALLOWED.proxy': entry<RefusedRequest>({
    en: (to) => [`${refused(to)}: it is not an allowed domain`, 'Use an allowed domain.'],
    zh: (to) => [`${refusedZh(to)}：不在允许的域名之列`, '请使用允许的域名。'],
  }),
  'HOST_FORBIDDEN.proxy': entry<RefusedRequest & { kind: string }>({
    en: (to) => [`${refused(to)}: it is a ${to.kind} address`, PRIVATE_HINT],
    zh: (to) => [`${refusedZh(to)}：属于 ${to.kind} 地址`, PRIVATE_HINT_ZH],
  }),
  'HOST_FORBIDDEN.proxyResolved': entry<RefusedRequest & { kind: string; address: string }>({
    en: (to) => [`${refused(to)}: it resolves to ${to.address}, a ${to.kind} address`, PRIVATE_HINT],
    zh: (to) => [`${refusedZh(to)}：它解析为 ${to.address}，属于 ${to.kind} 地址`, PRIVATE_HINT_ZH],
  }),
  'HOST_FORBIDDEN.background': entry<RefusedRequest>({
    en: (to) => [`${refused(to)}: it is background traffic of Chromium`, 'Nothing to do: no page requested it.'],
    zh: (to) => [`${refusedZh(to)}：这是 Chromium 的后台请求`, '无需处理：没有页面请求它。'],
  }),
}
