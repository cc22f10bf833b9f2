/** Domains and addresses among the words. */

const DOMAIN_END =
  /\.(?:com|net|org|io|cn|ru|xyz|top|info|dev|app|co|me|tv|cc|example|site|online|shop|club|biz|ai|de|fr|uk|jp|kr|tw|hk|us|eu|in|br|link|live|pro|test|work|vip|icu|onion)(?:[/:?#].*)?$/
const ADDRESS = /[^\s"'<>()[\]{}|\\,;，。；、）】」\u3000-\u303f\u4e00-\u9fff]+/y
const LONGEST_DOMAIN = 120

export function isDomain(text: string, start: number, end: number): boolean {
  return end - start < LONGEST_DOMAIN && DOMAIN_END.test(text.slice(start, end))
}

/** The target of a Markdown link is for readers to follow, not to send something to. */
export function isToFollow(text: string, start: number): boolean {
  return start > 0 && '(<='.includes(text.charAt(start - 1))
}

/** The end of an address that goes on from here, without the punctuation of the sentence. */
export function addressEnd(text: string, start: number, from: number): number {
  ADDRESS.lastIndex = from
  let end = ADDRESS.test(text) ? ADDRESS.lastIndex : from
  while (end > start && '.!?:'.includes(text.charAt(end - 1))) end--
  return end
}
