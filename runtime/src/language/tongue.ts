/** Which language a sentence is in, by its commonest words. */
import { fitting } from './fitting-pattern.ts'

const HAN = /\p{Script=Han}/u
/** Words that no other language of the list has. */
const COMMON: readonly (readonly [string, RegExp])[] = [
  [
    'en',
    /\b(?:the|of|and|to|is|for|your?|with|are|this|that|it|please|must|from|have|by|be|on|at|any|all|will|before)\b/g,
  ],
  ['de', /\b(?:der|das|und|ist|bei|nicht|eine[nrms]?|wenn|zu|auf|für|mit|wird|bitte|ihre?|dem|des|von|sind|eine)\b/g],
  ['fr', /\b(?:le|les|est|et|pour|une|cette|dans|avec|vous|votre|sur|veuillez|avant|toute?s?|aux|du)\b/g],
  ['es', /\b(?:el|los|las|para|una|por|con|que|se|su|del|es|antes|debe|favor|todos)\b/g],
  ['it', /\b(?:il|gli|della|per|una|che|con|prima|deve|sono|nel|alla|questo|tutti)\b/g],
  ['pt', /\b(?:não|uma|os|dos|das|com|seu|sua|antes|você|deve|ao|pelo|para)\b/g],
  ['nl', /\b(?:het|een|van|voor|niet|met|naar|wordt|uw|moet|alle|bij|zijn)\b/g],
  ['no', /\b(?:og|til|av|ved|på|paa|som|med|ikke|alltid|det|att|och|för|eller|skal|ska)\b/g],
]
const ENOUGH = 2

/** Undefined where the words do not tell. Of small letters. */
export function tongueOf(folded: string): string | undefined {
  if (fitting(folded, HAN).test(folded)) return 'zh'
  let best: { tongue: string; count: number } | undefined
  for (const [tongue, words] of COMMON) {
    const count = new Set(folded.match(fitting(folded, words))).size
    if (count >= ENOUGH && (best === undefined || count > best.count)) best = { tongue, count }
  }
  return best?.tongue
}
