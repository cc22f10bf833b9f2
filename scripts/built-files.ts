/** Files that `writ serve` sends as they are: listing them, and compressed copies beside them. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

export function newestOf(files: readonly string[]): number {
  return Math.max(...files.map((file) => statSync(file).mtimeMs))
}

/** The server sends these files as they are; compressing for every request would cost more than it saves. */
export function compressTexts(folder: string, fromBytes: number): void {
  for (const file of filesIn(folder)) {
    if (!/\.(?:js|css|html|svg|json|txt)$/.test(file) || statSync(file).size < fromBytes) continue
    const bytes = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
  }
}
