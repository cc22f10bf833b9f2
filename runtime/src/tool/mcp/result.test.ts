import { describe, expect, test } from 'vitest'
import { outputOf } from './result.ts'

const text = (said: string) => ({ type: 'text' as const, text: said })

describe('what a server returns', () => {
  test('texts are joined line by line', () => {
    expect(outputOf({ content: [text('a'), text('b')] })).toEqual({ ok: true, text: 'a\nb' })
  })

  test('images, audio and resources are described in one line', () => {
    const data = Buffer.from('12345').toString('base64')
    const output = outputOf({
      content: [
        { type: 'image', mimeType: 'image/png', data },
        { type: 'audio', mimeType: 'audio/wav', data },
        { type: 'resource_link', name: 'plan', uri: 'demo://plan', mimeType: 'text/plain' },
        { type: 'resource', resource: { uri: 'demo://note', text: 'the note itself' } },
        { type: 'resource', resource: { uri: 'demo://blob', blob: data } },
      ],
    })
    expect(output).toEqual({
      ok: true,
      text: [
        '[image: image/png, 5 bytes]',
        '[audio: audio/wav, 5 bytes]',
        '[resource: plan <demo://plan>, text/plain]',
        '[resource: <demo://note>]',
        'the note itself',
        '[resource: <demo://blob>, 5 bytes]',
      ].join('\n'),
    })
  })

  test('structured content is shown once, whether or not the server repeats it as text', () => {
    const structuredContent = { b: 1, a: [2] }
    expect(outputOf({ content: [], structuredContent })).toEqual({
      ok: true,
      text: JSON.stringify(structuredContent, null, 2),
    })
    expect(outputOf({ content: [text('{"a":[2],"b":1}')], structuredContent })).toEqual({
      ok: true,
      text: '{"a":[2],"b":1}',
    })
    expect(outputOf({ content: [text('hello')], structuredContent: { content: 'hello' } })).toEqual({
      ok: true,
      text: 'hello',
    })
  })

  test('a failure the tool reports is a failure, with its text', () => {
    expect(outputOf({ content: [text('no such page')], isError: true })).toEqual({ ok: false, error: 'no such page' })
    expect(outputOf({ content: [], isError: true })).toMatchObject({
      ok: false,
      error: expect.stringContaining('failed'),
    })
  })

  test('empty content is reported, and long content is cut', () => {
    expect(outputOf({ content: [] })).toEqual({ ok: true, text: '[no content]' })
    const output = outputOf({ content: [text('x'.repeat(300_000))] })
    expect(output).toMatchObject({ ok: true, text: expect.stringMatching(/x…\(\+44000\)$/) })
  })
})
