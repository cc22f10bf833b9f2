/** The ignored settings of an untrusted folder, in one line. */
import { messages } from '../i18n/locale.ts'
import type { LoadedConfig } from './load.ts'
import { printable } from './problems.ts'

/** `files`: identity files and skill folders that were ignored as well. No line when there is nothing to report. */
export function untrustedWarning(loaded: Pick<LoadedConfig, 'lang' | 'untrusted'>, files: readonly string[]): string[] {
  const { workspace, changed, ignored, partly } = loaded.untrusted
  const left = [...ignored, ...files]
  if (changed.length + left.length + partly.length === 0) return []
  const texts = messages(loaded.lang).config
  const parts = [
    changed.length > 0
      ? texts.changedSinceTrust({ workspace, files: shortened(changed) })
      : texts.notTrusted({ workspace }),
    ...(left.length === 0 ? [] : [texts.ignored({ keys: left })]),
    ...(partly.length === 0 ? [] : [texts.tightenedOnly({ keys: partly })]),
    texts.trustHint,
  ]
  return [printable(parts.join(loaded.lang === 'zh' ? '' : ' '))]
}

const MAX_NAMED = 5

function shortened(files: readonly string[]): string[] {
  return files.length <= MAX_NAMED ? [...files] : [...files.slice(0, MAX_NAMED), '…']
}

/** For commands that use only the configuration. */
export function configWarnings(loaded: LoadedConfig): string[] {
  return [...loaded.warnings, ...untrustedWarning(loaded, [])]
}
