/** Quoted text: what is in it was not said by the writer. */

/** Of any length. */
export const QUOTED = /"[^"]*"|“[^”]*”|「[^」]*」|『[^』]*』|`[^`]*`/gu

/** Within one line and with its content as a group, to tell names, paths and sentences apart. */
export const QUOTED_IN_LINE =
  /"([^"\n]{1,400})"|“([^”\n]{1,400})”|‘([^’\n]{1,400})’|「([^」\n]{1,400})」|『([^』\n]{1,400})』|《([^》\n]{1,100})》|`([^`\n]{1,400})`|(?<=^|[\s(:,，：])'([^'\n]{1,400})'(?![a-z])/gu

/**
 * Also URLs, and the two characters that mask a quotation: left alone, they would come back as another one. No
 * alternative may scan past its own opening mark: a text full of them would be read once for each.
 */
export const QUOTED_OR_URL =
  /https?:\/\/[^\s，。；、“”"'<>（）]+|"[^"]*"|“[^“”]*”|「[^「」]*」|`[^`]*`|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])|[\ue000\ue001]/gu

export const CODE_FENCE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/gu

const OPENING_QUOTES = ['"', "'", '“', '‘', '《', '「']

export function isQuotedIn(text: string, value: string): boolean {
  return OPENING_QUOTES.some((mark) => text.includes(mark + value))
}
