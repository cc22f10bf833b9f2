/** The tools available to every run. The only list of them. */
import type { JsonObject } from '../../base/json.ts'
import { resultReadTool } from '../result-read.ts'
import type { Tool } from '../tool.ts'
import { applyPatchTool } from './apply-patch.ts'
import { configTool } from './config.ts'
import { fileEditTool } from './file-edit.ts'
import { fileListTool } from './file-list.ts'
import { fileReadTool } from './file-read.ts'
import { fileSearchTool } from './file-search.ts'
import { fileWriteTool } from './file-write.ts'
import { gitTool } from './git.ts'
import { httpRequestTool } from './http-request.ts'
import { jsonTransformTool } from './json-transform.ts'
import { selfInfoTool } from './self-info.ts'
import { shellTool } from './shell.ts'

export interface BuiltinDeps {
  /** The effective configuration. */
  config: () => JsonObject
  /** What the runtime knows about itself. */
  self: () => JsonObject
}

export function builtinTools(deps: BuiltinDeps): Tool[] {
  return [
    fileReadTool,
    fileListTool,
    fileSearchTool,
    fileWriteTool,
    fileEditTool,
    applyPatchTool,
    shellTool(),
    gitTool,
    httpRequestTool,
    jsonTransformTool,
    selfInfoTool(deps.self),
    configTool(deps.config),
    resultReadTool,
  ] as Tool[]
}
