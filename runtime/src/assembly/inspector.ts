/** The inspection of results: the rules, and the model of `agent.security.injectionModel` beside them. */
import type { WorkspaceContext } from '../agent/workspace-context.ts'
import { combine, type Inspect, inspectByRules } from '../inspect/classifier.ts'
import { inspect } from '../inspect/inspect.ts'

export interface Inspector {
  /** Undefined where the inspection of results is switched off. */
  inspect: Inspect | undefined
  close(): Promise<void>
}

type Inspecting = Pick<WorkspaceContext, 'loaded' | 'configHome'> & { injectionModel?: string | undefined }

export async function openInspector(context: Inspecting): Promise<Inspector> {
  if (context.loaded.config.security.injectionCheck) return openScanner(context)
  return { inspect: undefined, close: async () => {} }
}

/** For texts that are inspected whatever the settings say. */
export async function openScanner({ loaded, configHome, injectionModel }: Inspecting) {
  const { injectionModelUse: use, injectionLabels: labels, injectionModelTimeoutMs: timeoutMs } = loaded.config.security
  if (injectionModel === undefined) return { inspect: inspectByRules, close: async () => {} }
  const { openClassifier } = await import('../tool/classifier/open-classifier.ts')
  const classifier = await openClassifier({ folder: injectionModel, use, labels, timeoutMs, configHome })
  const byBoth: Inspect = async (text, options) =>
    combine(inspect(text, options), await classifier.classify(text), classifier.use)
  return { inspect: byBoth, close: classifier.close }
}
