/** The classifier's thread, with a stand-in for the package and a model of a few hundred bytes. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { installClassifierPackage } from '../../../test/support/classifier-package.ts'
import { type TinyModel, writeTinyModel } from '../../../test/support/onnx-model.ts'
import { harmfulLabels } from './model-folder.ts'
import { type ClassifierSettings, type OpenClassifier, openClassifier } from './open-classifier.ts'

let root: string
let home: string
let folder: string
const open: OpenClassifier[] = []
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-classifier-')))
  home = join(root, 'home')
  mkdirSync(home)
  installClassifierPackage(home)
  folder = writeTinyModel(join(root, 'model'))
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  rmSync(root, { recursive: true, force: true })
})

async function opened(own: Partial<ClassifierSettings> = {}): Promise<OpenClassifier> {
  const settings = { folder, use: 'either', labels: undefined, timeoutMs: 60_000, configHome: home } as const
  const classifier = await openClassifier({ ...settings, ...own })
  open.push(classifier)
  return classifier
}

const remake = (model: TinyModel) => writeTinyModel(folder, model)

describe('X-CLASSIFIER-2: a model that cannot be used is an error at the start', () => {
  test.each<[string, () => void, object, RegExp]>([
    [
      'no package',
      () => rmSync(join(home, 'node_modules'), { recursive: true }),
      { key: 'CLASSIFIER_MISSING.package' },
      /not installed/,
    ],
    ['no folder', () => rmSync(folder, { recursive: true }), { key: 'CLASSIFIER_MISSING.folder' }, /no folder/],
    [
      'no tokenizer',
      () => rmSync(join(folder, 'tokenizer.json')),
      { key: 'CLASSIFIER_MISSING.file' },
      /tokenizer\.json/,
    ],
    [
      'no model',
      () => rmSync(join(folder, 'onnx/model.onnx')),
      { key: 'CLASSIFIER_MISSING.file' },
      /onnx\/model\.onnx/,
    ],
    [
      'a file in place of a folder',
      () => {
        rmSync(folder, { recursive: true })
        writeFileSync(folder, '')
      },
      { code: 'CLASSIFIER_MISSING' },
      /config\.json/,
    ],
    [
      'a description that is no JSON',
      () => writeFileSync(join(folder, 'config.json'), '{'),
      { code: 'CLASSIFIER_BROKEN' },
      /config\.json/,
    ],
    ['no labels', () => writeFileSync(join(folder, 'config.json'), '{}'), { code: 'CLASSIFIER_BROKEN' }, /id2label/],
    ['one label', () => remake({ labels: ['INJECTION'] }), { code: 'CLASSIFIER_BROKEN' }, /two or more/],
    [
      'unknown labels',
      () => remake({ labels: ['POSITIVE', 'NEUTRAL'] }),
      { code: 'CLASSIFIER_LABELS' },
      /POSITIVE, NEUTRAL/,
    ],
    [
      'a broken model',
      () => writeFileSync(join(folder, 'onnx/model.onnx'), 'no'),
      { code: 'CLASSIFIER_BROKEN' },
      /protobuf/,
    ],
    [
      'other labels in its answer',
      () => remake({ bad: ['wrong-labels'] }),
      { code: 'CLASSIFIER_BROKEN' },
      /lacks labels/,
    ],
    [
      'a package that is none',
      () =>
        writeFileSync(
          join(home, 'node_modules/@huggingface/transformers/index.cjs'),
          'throw new Error("half installed")',
        ),
      { code: 'CLASSIFIER_BROKEN' },
      /half installed/,
    ],
  ])('%s', async (_, damage, error, message) => {
    damage()
    await expect(opened()).rejects.toMatchObject({ ...error, message: expect.stringMatching(message) })
  })

  test('the error of a missing package has the command that installs it', async () => {
    rmSync(join(home, 'node_modules'), { recursive: true })
    await expect(opened()).rejects.toMatchObject({
      hint: `Run: npm install --prefix "${home}" @huggingface/transformers`,
    })
  })

  test('a package above the configuration folder, perhaps in a workspace, is never loaded', async () => {
    rmSync(join(home, 'node_modules'), { recursive: true })
    installClassifierPackage(root)
    await expect(opened()).rejects.toMatchObject({ key: 'CLASSIFIER_MISSING.package' })
  })
})

describe('X-CLASSIFIER-3: which labels mean injection', () => {
  test.each([
    [['SAFE', 'INJECTION'], ['INJECTION']],
    [['LEGIT', 'INJECTION'], ['INJECTION']],
    [
      ['BENIGN', 'INJECTION', 'JAILBREAK'],
      ['INJECTION', 'JAILBREAK'],
    ],
    [['benign', 'jailbreak'], ['jailbreak']],
    [['LABEL_0', 'LABEL_1'], ['LABEL_1']],
    [['safe', 'unsafe'], ['unsafe']],
    [['injection', 'no_injection'], ['injection']],
    [['NON-MALICIOUS', 'MALICIOUS'], ['MALICIOUS']],
  ])('%j: %j', (labels, harmful) => {
    expect(harmfulLabels(labels, { folder, chosen: undefined })).toEqual(harmful)
  })

  test.each([
    [['LABEL_0', 'LABEL_1', 'LABEL_2']],
    [['INJECTION', 'OTHER']],
    [['INJECTION', 'JAILBREAK']],
    [['A', 'B']],
  ])('%j is an error, never a guess', (labels) => {
    expect(() => harmfulLabels(labels, { folder, chosen: undefined })).toThrow(/unclear/)
  })

  test('a setting names them, if the model has them and others', () => {
    const named = (chosen: string[]) => harmfulLabels(['A', 'B', 'C'], { folder, chosen })
    expect(named(['B', 'C'])).toEqual(['B', 'C'])
    for (const wrong of [[], ['D'], ['A', 'B', 'C']]) expect(() => named(wrong)).toThrow(/does not fit/)
  })
})

describe('X-CLASSIFIER-4: a text', () => {
  test('with the words of an injection is found, another is not', async () => {
    const { classify } = await opened()
    expect(await classify('The meeting is at ten.')).toEqual({ found: false })
    expect(await classify('obey now')).toMatchObject({ found: true, at: 0 })
    expect(await classify('')).toEqual({ found: false })
  })

  const filler = (words: number) => Array.from({ length: words }, (_, i) => `word${i}`).join(' ')

  test.each([0, 5, 13, 14, 15, 500, 1000])('is read in windows: a word after %i others is found', async (words) => {
    const { classify } = await opened()
    const text = `${filler(words)} obey ${filler(300)}`
    const said = await classify(text)
    expect(said).toMatchObject({ found: true })
    const at = 'at' in said ? said.at : -1
    expect(text.slice(at, at + 200)).toContain('obey')
  })

  test('without spaces is read to its end too', async () => {
    const { classify } = await opened()
    expect(await classify(`${'会议在十点'.repeat(200)} obey`)).toMatchObject({ found: true })
    expect(await classify('会议在十点'.repeat(200))).toEqual({ found: false })
  })

  test('that is too long is not said to be harmless', async () => {
    const { classify } = await opened()
    expect(await classify(filler(20_000))).toEqual({ failed: 'too-long' })
    expect(await classify('obey')).toMatchObject({ found: true })
  })
})

describe('X-CLASSIFIER-5: a failure at run time', () => {
  test.each([
    ['an error', 'please-throw', 'crashed'],
    ['the end of the thread', 'please-exit', 'crashed'],
    ['a request to the network, which is closed', 'please-fetch', 'crashed'],
  ])('%s is a failure, and the next text is read again', async (_, word, failed) => {
    const { classify } = await opened()
    expect(await classify(word)).toEqual({ failed })
    expect(await classify('obey')).toMatchObject({ found: true })
  })

  test.each(['please-hang', 'please-block'])('%s: an answer that does not come is late, each time', async (word) => {
    const { classify } = await opened({ timeoutMs: 50 })
    expect(await Promise.all([classify(word), classify(word)])).toEqual([{ failed: 'late' }, { failed: 'late' }])
  })

  test('texts are read one after the other, each with its own answer', async () => {
    const { classify } = await opened()
    const texts = ['obey', 'hello', 'please-throw', 'obey', 'hello']
    const said = await Promise.all(texts.map(classify))
    expect(said.map((one) => ('found' in one ? one.found : one.failed))).toEqual([true, false, 'crashed', true, false])
  })

  test('one thread serves all who open the same model, until the last one closes', async () => {
    const [one, other] = [await opened(), await opened()]
    await one.close()
    await one.close()
    expect(await one.classify('obey')).toEqual({ failed: 'crashed' })
    expect(await other.classify('obey')).toMatchObject({ found: true })
    remake({ bad: ['comply'] })
    const changed = await opened()
    expect(await changed.classify('obey')).toEqual({ found: false })
    expect(await other.classify('obey')).toMatchObject({ found: true })
  })

  test('a closed one answers that it could not read', async () => {
    const classifier = await opened()
    await classifier.close()
    expect(await classifier.classify('hello')).toEqual({ failed: 'crashed' })
  })

  test('a model that is gone after a crash is a failure, not a pass', async () => {
    const { classify } = await opened()
    await classify('please-exit')
    rmSync(folder, { recursive: true })
    expect(await classify('hello')).toEqual({ failed: 'crashed' })
  })
})
