/** Tools for company services, and the transcripts of workflows: in the store, or in the configured Redis. */
import type { WorkspaceContext } from '../agent/workspace-context.ts'
import type { Clock } from '../base/clock.ts'
import { openTranscripts } from '../context/transcript.ts'
import { inspect } from '../inspect/inspect.ts'
import type { Database } from '../storage/database.ts'
import { redisLink } from '../storage/redis.ts'
import { transcriptArchive } from '../storage/transcript-archive.ts'
import { redisTranscripts } from '../storage/transcript-redis.ts'
import { feishuBotTool } from '../tool/builtin/feishu-bot.ts'
import { redisContextTool } from '../tool/builtin/redis-context.ts'
import type { Tool } from '../tool/tool.ts'
import { contextPersistTool } from '../workflow/nodes/context-persist.ts'
import { contextPrepareTool } from '../workflow/nodes/context-prepare.ts'

export interface CompanyTools {
  tools: Tool[]
  close(): Promise<void>
}

/** Connects to a service only when a tool needs it. */
export function companyTools(
  { env, loaded, redact }: WorkspaceContext,
  { db, clock }: { db: Database; clock: Clock },
): CompanyTools {
  const redis = redisLink(env.WRIT_REDIS_URL)
  const { backend, ...limits } = loaded.config.context
  const transcripts = openTranscripts({
    archive: backend === 'redis' ? redisTranscripts(redis) : transcriptArchive(db),
    limits,
    redact,
    inspect: loaded.config.security.injectionCheck ? inspect : undefined,
    clock,
  })
  return {
    tools: [
      redisContextTool(redis),
      feishuBotTool({ clock }),
      contextPrepareTool({ transcripts, lang: loaded.lang }),
      contextPersistTool({ transcripts }),
    ] as Tool[],
    close: () => redis.close(),
  }
}
