/** What tools return when there is nothing to return: texts for models, which the built-in rules put into words. */
export const EMPTY_RESULTS = {
  folder: '(the folder is empty)',
  matches: '(no matches)',
  output: '(no output)',
  memories: '(nothing remembered matches)',
  documents: 'Nothing matches. Try other or fewer words.',
} as const
