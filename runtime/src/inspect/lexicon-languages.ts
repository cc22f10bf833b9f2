import type { Cue, Lexicon } from './concept.ts'
import { ENGLISH } from './lexicon-en.ts'
import { LATIN } from './lexicon-latin.ts'
import { SCRIPTS } from './lexicon-scripts.ts'
import { inflected } from './lexicon-verbs.ts'

/** What "automated processing" is: as sure a sign of a machine as its name. */
const PROCESSING: readonly Cue[] = ['device', 'model', 'toward']

const NAMES_OF_CONCEPTS = /^[A-Z]+$/
const VERB_CONCEPTS = new Set(['SEND', 'PAY', 'WIPE', 'GRANT', 'RUN', 'FETCH', 'SHAPE', 'CHANGE', 'VOID'])

function gathered(): Lexicon {
  const concepts: Record<string, string> = {}
  const cues: Record<string, string> = {}
  const put = (lists: Record<string, string>, name: string, words: string) => {
    lists[name] = `${lists[name] ?? ''} ${words}`
  }
  for (const language of Object.values({ ...LATIN, ...SCRIPTS })) {
    for (const [name, list] of Object.entries(language)) {
      if (name === 'processing') for (const cue of PROCESSING) put(cues, cue, list)
      else if (!NAMES_OF_CONCEPTS.test(name)) put(cues, name, list)
      else {
        const words = VERB_CONCEPTS.has(name) ? inflected(list) : list
        put(concepts, name, words)
        if (VERB_CONCEPTS.has(name) && /[a-z]/.test(words)) put(cues, 'late', latin(words))
      }
    }
  }
  return { concepts, cues }
}

/** An English verb comes before its object, whatever the same letters mean elsewhere. */
const ENGLISH_WORDS = new Set(Object.values(ENGLISH.concepts).flatMap((list) => list.split(/\s+/)))

function latin(words: string): string {
  return words
    .split(/\s+/)
    .filter((word) => /^[a-z]/.test(word) && !ENGLISH_WORDS.has(word))
    .join(' ')
}

export const LANGUAGE_WORDS: Lexicon = gathered()
