import { type DocHit, type DocSearch, type Docs, MAX_ANSWER } from '../../ports/docs.ts'
import { EMPTY_RESULTS } from '../../protocol/empty-results.ts'
import { READS_FILES } from '../file-reading.ts'
import { defineTool, type Tool } from '../tool.ts'

interface SearchDocsArgs {
  query: string
  limit?: number
}

const LIMIT = 5

export function searchDocsTool(docs: Docs): Tool<SearchDocsArgs> {
  return defineTool<SearchDocsArgs>({
    name: 'search_docs',
    description:
      'Search the documents of the workspace by the words they contain; the best match comes first. Answers JSON: hits [{id, title, line, snippet, score}]. Read on with read_doc, giving the id and the line as offset.',
    schema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 4000, description: 'A few words of what to look for.' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 20,
          description: `How many documents at most; ${LIMIT} when absent.`,
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    ...READS_FILES,

    async execute({ query, limit = LIMIT }, { signal }) {
      return answer(await docs.search(query, { limit, signal }))
    },
  })
}

function answer({ hits, indexing }: DocSearch): string {
  const shown = fitting(hits)
  const notes = [
    ...(indexing === undefined
      ? []
      : [`Indexing: ${indexing.done} of ${indexing.total} files so far. Search again for more.`]),
    ...(hits.length > 0 ? [] : [EMPTY_RESULTS.documents]),
    ...(shown.length < hits.length ? [`${hits.length - shown.length} more left out; ask for something narrower.`] : []),
  ]
  return JSON.stringify({ hits: shown, ...(notes.length === 0 ? {} : { note: notes.join(' ') }) })
}

function fitting(hits: readonly DocHit[]): DocHit[] {
  let room = MAX_ANSWER - 300
  return hits.filter((hit) => {
    room -= JSON.stringify(hit).length + 1
    return room >= 0
  })
}
