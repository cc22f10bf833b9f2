/** Model servers on this machine. */
import { isObject } from '../base/json.ts'
import { httpFetch } from './http-fetch.ts'

const PROBE_MS = 300
const OLLAMA = 'http://127.0.0.1:11434'
const LLAMA = 'http://127.0.0.1:8080'

export interface LocalServer {
  provider: 'ollama' | 'compatible'
  /** Absent for the provider's own address. */
  baseURL?: string
  models: string[]
}

/** Ollama and llama.cpp at their usual ports. */
export async function findLocalServers({ ollama = OLLAMA, llama = LLAMA } = {}): Promise<LocalServer[]> {
  const [tags, served] = await Promise.all([ollamaModels(ollama), servedModels(`${llama}/v1`)])
  return [
    ...(tags.length === 0 ? [] : [{ provider: 'ollama' as const, models: tags }]),
    ...(served.length === 0 ? [] : [{ provider: 'compatible' as const, baseURL: `${llama}/v1`, models: served }]),
  ]
}

export async function ollamaModels(server = OLLAMA): Promise<string[]> {
  return namesIn(await probe(`${server}/api/tags`), 'models', 'name')
}

/** Of a server with OpenAI's API that requires no key. */
async function servedModels(baseURL: string): Promise<string[]> {
  return namesIn(await probe(`${baseURL.replace(/\/+$/, '')}/models`), 'data', 'id')
}

async function probe(url: string): Promise<unknown> {
  try {
    const response = await httpFetch({ totalMs: PROBE_MS })(url)
    return response.ok ? JSON.parse(await response.text()) : undefined
  } catch {
    return undefined
  }
}

function namesIn(answer: unknown, list: string, key: string): string[] {
  const entries = isObject(answer) && Array.isArray(answer[list]) ? answer[list] : []
  return entries.flatMap((entry) => (isObject(entry) && typeof entry[key] === 'string' ? [entry[key]] : []))
}
