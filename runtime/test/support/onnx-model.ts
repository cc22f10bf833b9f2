/**
 * A text classifier of a few hundred bytes, in the form in which real ones are published: config.json, tokenizer files
 * and onnx/model.onnx. It adds up one weight per word: the words in `bad` speak for the label that is not harmless.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface TinyModel {
  bad?: readonly string[]
  /** The harmless label first. */
  labels?: readonly string[]
  /** Tokens it reads at once. */
  maxTokens?: number
}

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
/** The logits of a text without a bad word, and what one bad word adds to the second. */
const CALM = [3, -3]
const ALARM = [-6, 6]

export function writeTinyModel(folder: string, model: TinyModel = {}): string {
  const { bad = ['obey'], labels = ['SAFE', 'INJECTION'], maxTokens = 16 } = model
  const vocabulary = [...SPECIAL, ...bad]
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content))
  write('config.json', {
    model_type: 'bert',
    architectures: ['BertForSequenceClassification'],
    max_position_embeddings: maxTokens,
    vocab_size: vocabulary.length,
    id2label: Object.fromEntries(labels.map((label, i) => [i, label])),
    label2id: Object.fromEntries(labels.map((label, i) => [label, i])),
  })
  write('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: maxTokens })
  write('tokenizer.json', tokenizer(vocabulary))
  writeFileSync(join(folder, 'onnx/model.onnx'), bagOfTokens(vocabulary.length, labels.length))
  return folder
}

function tokenizer(vocabulary: readonly string[]): object {
  const added = SPECIAL.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }))
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  }
}

/** input_ids → Gather(weights) → ReduceSum over the tokens → Add(bias) → logits. */
function bagOfTokens(words: number, labels: number): Uint8Array {
  const row = (values: readonly number[]) => Array.from({ length: labels }, (_, i) => values[i] ?? -9)
  const weights = Array.from({ length: words }, (_, id) =>
    id < SPECIAL.length ? row([0, 0]).map(() => 0) : row(ALARM),
  )
  const graph = [
    bytes(1, node('Gather', ['weights', 'input_ids'], 'each')),
    bytes(
      1,
      node('ReduceSum', ['each', 'axis'], 'sum', bytes(5, [...text(1, 'keepdims'), ...int(3, 0), ...int(20, 2)])),
    ),
    bytes(1, node('Add', ['sum', 'bias'], 'logits')),
    text(2, 'bag of tokens'),
    bytes(5, floats('weights', [words, labels], weights.flat())),
    bytes(5, floats('bias', [labels], row(CALM))),
    bytes(5, [...int(1, 1), ...int(2, INT64), ...int(7, 1), ...text(8, 'axis')]),
    bytes(11, value('input_ids', INT64, ['batch', 'tokens'])),
    bytes(12, value('logits', FLOAT, ['batch', labels])),
  ].flat()
  return Uint8Array.from([...int(1, 8), ...bytes(8, int(2, 13)), ...bytes(7, graph)])
}

const FLOAT = 1
const INT64 = 7

function node(type: string, inputs: readonly string[], output: string, attribute: readonly number[] = []): number[] {
  return [...inputs.flatMap((name) => text(1, name)), ...text(2, output), ...text(4, type), ...attribute]
}

function floats(name: string, shape: readonly number[], values: readonly number[]): number[] {
  const raw = new Uint8Array(new Float32Array(values).buffer)
  return [...shape.flatMap((size) => int(1, size)), ...int(2, FLOAT), ...text(8, name), ...bytes(9, [...raw])]
}

function value(name: string, type: number, shape: readonly (string | number)[]): number[] {
  const sizes = shape.flatMap((size) => bytes(1, typeof size === 'number' ? int(1, size) : text(2, size)))
  return [...text(1, name), ...bytes(2, bytes(1, [...int(1, type), ...bytes(2, sizes)]))]
}

/** Fields of a protobuf message: a number, text, and bytes or another message. */
function int(field: number, size: number): number[] {
  return [...varint(field << 3), ...varint(size)]
}

function text(field: number, content: string): number[] {
  return bytes(field, [...new TextEncoder().encode(content)])
}

function bytes(field: number, content: readonly number[]): number[] {
  return [...varint((field << 3) | 2), ...varint(content.length), ...content]
}

function varint(size: number): number[] {
  return size < 0x80 ? [size] : [(size & 0x7f) | 0x80, ...varint(size >>> 7)]
}
