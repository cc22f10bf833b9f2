// Loads a bundle's CommonJS files, with the code that an earlier process compiled. Plain JavaScript for Node 18 and newer.
//
// The cache lies in the folder of the bundle: no tool of an agent can write there, and a process that can is able to
// change the bundle itself. V8 only checks its own version and options; that the cache is whole and belongs to this code
// is checked here.
import fs from 'node:fs'
import module from 'node:module'
import { basename, dirname, join } from 'node:path'
import vm from 'node:vm'
import zlib from 'node:zlib'

const HEAD_BYTES = 8
/** Of other versions and options of Node. With more than these, all are removed. */
const MOST_FILES = 64
const WRITABLE_BY_OTHERS = 0o022
/** With other options, V8 would reject what was compiled. */
const OPTIONS = JSON.stringify([process.arch, process.execArgv, process.env.NODE_OPTIONS])

/** @type {Map<string, { exports: Record<string, any> }>} */
const modules = new Map()
/** @type {{ file: string, code: Buffer, script: vm.Script }[]} */
const compiled = []
let isSaving = false

/**
 * The exports of a file.
 * @param {string} file
 */
export function load(file) {
  return canCache() ? cached(file) : module.createRequire(file)(file)
}

/**
 * Whether compiled code can be kept beside the code in this folder.
 * @param {string} folder
 */
export function keepsCode(folder) {
  try {
    fs.accessSync(folder, fs.constants.W_OK)
    return canCache() && fs.statSync(folder).uid === process.getuid?.()
  } catch {
    return false
  }
}

/** A cache that the program chose is as good, and code from ours has no source maps. */
function canCache() {
  return module.getCompileCacheDir?.() === undefined && !process.sourceMapsEnabled && process.getuid !== undefined
}

/**
 * @param {string} file
 * @returns {Record<string, any>}
 */
function cached(file) {
  const known = modules.get(file)
  if (known !== undefined) return known.exports
  const loaded = { exports: {} }
  modules.set(file, loaded)
  const folder = dirname(file)
  const requireOther = module.createRequire(file)
  /** @param {string} id */
  const requireBeside = (id) => (/^\.\/[\w-]+\.cjs$/.test(id) ? cached(join(folder, id)) : requireOther(id))
  try {
    compile(file).runInThisContext()(loaded.exports, requireBeside, loaded, file, folder)
  } catch (error) {
    modules.delete(file)
    throw error
  }
  return loaded.exports
}

/** Node warns once about this way of importing. The first import is made here, without the warning. */
function importQuietly() {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
    new vm.Script("import('node:vm')", { importModuleDynamically }).runInThisContext()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** @param {string} file */
function compile(file) {
  if (compiled.length === 0) importQuietly()
  const code = fs.readFileSync(file)
  const cachedData = read(file, code)
  const script = new vm.Script(module.wrap(code.toString()), {
    filename: file,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  })
  compiled.push({ file, code, script })
  if ((cachedData === undefined || script.cachedDataRejected) && !isSaving) {
    isSaving = true
    // By then the functions that a process needs are compiled, and nothing waits.
    process.once('exit', save)
  }
  return script
}

/**
 * @param {string} file
 * @param {Buffer} code
 */
function read(file, code) {
  /** @type {number | undefined} */
  let fd
  try {
    if (!isOurs(fs.lstatSync(cacheOf(file)))) return undefined
    fd = fs.openSync(placeOf(file), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW)
    if (!isOurs(fs.fstatSync(fd))) return undefined
    const kept = fs.readFileSync(fd)
    const data = kept.subarray(HEAD_BYTES)
    return headOf(code, data).equals(kept.subarray(0, HEAD_BYTES)) ? data : undefined
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

function save() {
  for (const { file, code, script } of compiled) {
    try {
      const folder = cacheOf(file)
      // Root can write to a user's folder, but the user's processes would not use it.
      if (fs.statSync(dirname(folder)).uid !== process.getuid?.()) continue
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (!isOurs(fs.lstatSync(folder))) continue
      const names = fs.readdirSync(folder)
      if (names.length > MOST_FILES) for (const name of names) fs.rmSync(join(folder, name), { recursive: true })
      const data = script.createCachedData()
      const written = `${placeOf(file)}.${process.pid}`
      fs.writeFileSync(written, Buffer.concat([headOf(code, data), data]), { mode: 0o600 })
      fs.renameSync(written, placeOf(file))
    } catch {
      // A folder that cannot be written has no cache.
    }
  }
}

/** @param {fs.Stats} stats */
function isOurs({ uid, mode }) {
  return uid === process.getuid?.() && (mode & WRITABLE_BY_OTHERS) === 0
}

/** @param {string} file */
function cacheOf(file) {
  return join(dirname(file), 'cache')
}

/** @param {string} file */
function placeOf(file) {
  const options = zlib.crc32(OPTIONS).toString(16)
  return join(cacheOf(file), `${basename(file, '.cjs')}-${process.version}-${options}`)
}

/**
 * @param {Buffer} code
 * @param {Buffer} data
 */
function headOf(code, data) {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(zlib.crc32(code), 0)
  head.writeUInt32LE(zlib.crc32(data), 4)
  return head
}
