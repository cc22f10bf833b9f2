/** What a comparison compares, and where. */

const JOINS = '\\band\\b|\\bwith\\b|\\bversus\\b|\\bvs\\b\\.?|和|与|跟|同'

/** Between the things compared, in a clause that says only what to compare. */
export const COMPARED_JOIN = new RegExp(` *(?:${JOINS}|\\bto\\b|、|,|，) *`, 'iu')
/** Between the things compared, anywhere in a sentence. */
export const COMPARED_PARTS = new RegExp(`\\s*(?:,\\s*and\\b|${JOINS}|[,，、])\\s*`, 'iu')

/** What stands after "compare". */
export const COMPARED =
  /(?:\b(?:compare|contrast|differences? between)\b|比较|对比|比对)(?:一下)?[\s:：]*(?<what>[^.!?。！？\n]+)/iu
/** Where to look, before and after the things compared. */
export const PLACE_BEFORE = /^(?:在)?(?:文档|文件)(?:里|中|里面)?的? */u
export const PLACE_AFTER =
  / +(?:in|from|using|within|across)(?: the)? (?:docs?|documents?|documentation|files?)$| *(?:(?:在)?文档(?:里|中)?的?)?(?:的)?(?:区别|差别|异同|不同)?$/iu
/** The same in the middle of a sentence, with all that follows it. */
export const PLACE_ONWARD =
  /\s*(?:\b(?:in|from|across|according to) (?:the |our |my )?(?:docs?|documents?|documentation)\b.*|(?:在)?(?:文档|资料)(?:里|中).*|的(?:区别|差异|异同).*)$/iu
