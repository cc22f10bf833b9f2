// Plain JavaScript for Node 18 and newer: an old Node cannot load the error catalogue.

export const NEEDED = 24

/** What a person or a program on an old Node is told. */
export function tooOld() {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env
  const chinese = /^zh/.test(LC_ALL || LC_MESSAGES || LANG || '')
  const [message, hint] = chinese
    ? [
        `Writ 需要 Node ${NEEDED} 或更高版本；当前是 ${process.version}`,
        '请从 https://nodejs.org 安装，或在项目中运行 `npm ci` 安装匹配的版本。',
      ]
    : [
        `Writ needs Node ${NEEDED} or newer; this is ${process.version}`,
        'Install it from https://nodejs.org, or run `npm ci` in the project to install a matching version.',
      ]
  return { code: 'NODE_TOO_OLD', message, hint, hintLabel: chinese ? '提示：' : 'hint: ' }
}
