import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadSkill, narrowedBy, scanSkills } from './skills.ts'

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-skills-')))
  for (const folder of ['ws', 'home']) mkdirSync(join(base, folder))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const head = (name: string, rest = '') =>
  `---\nname: ${name}\ndescription: What ${name} is for.\n${rest}---\nDo it so.\n`
function put(path: string, content: string | Buffer = head('x')) {
  mkdirSync(dirname(join(base, path)), { recursive: true })
  writeFileSync(join(base, path), content)
}
const scan = (own: { trusted?: boolean; lang?: 'en' | 'zh' } = {}) =>
  scanSkills({ workspace: join(base, 'ws'), configHome: join(base, 'home'), trusted: true, lang: 'en', ...own })
const names = async (own?: { trusted?: boolean }) => (await scan(own)).skills.map(({ name }) => name)

describe('where skills are found', () => {
  test('S1-10: in three folders of the workspace and in the user’s own, in this order', async () => {
    put('home/skills/d/SKILL.md', head('d'))
    put('ws/.claude/skills/c/SKILL.md', head('c'))
    put('ws/.agents/skills/b/SKILL.md', head('b'))
    put('ws/.writ/skills/a/SKILL.md', head('a', 'license: MIT\nmetadata:\n  version: 1\n'))
    const { skills, warnings } = await scan()
    expect(skills.map(({ name, owner }) => [name, owner])).toEqual([
      ['a', 'workspace'],
      ['b', 'workspace'],
      ['c', 'workspace'],
      ['d', 'user'],
    ])
    expect(skills[0]).toEqual({
      name: 'a',
      description: 'What a is for.',
      folder: join(base, 'ws/.writ/skills/a'),
      root: join(base, 'ws/.writ/skills'),
      owner: 'workspace',
    })
    expect(warnings).toEqual([])
  })

  test('missing folders are not an error', async () => {
    put('ws/.writ/skills/empty/README.md', 'no skill here')
    put('ws/.writ/skills/loose.md', 'nor here')
    expect(await scan()).toEqual({ skills: [], warnings: [], untrusted: [] })
    rmSync(join(base, 'ws'), { recursive: true })
    expect(await scan()).toEqual({ skills: [], warnings: [], untrusted: [] })
  })

  test('of two with the same name the first is used, and the other is reported', async () => {
    put('ws/.writ/skills/one/SKILL.md', head('same'))
    put('home/skills/two/SKILL.md', head('same'))
    const { skills, warnings } = await scan()
    expect(skills.map(({ folder }) => folder)).toEqual([join(base, 'ws/.writ/skills/one')])
    expect(warnings).toEqual([expect.stringContaining(join(base, 'home/skills/two'))])
  })
})

describe('an untrusted workspace', () => {
  test('is ignored; the user’s own folder is not', async () => {
    put('ws/.claude/skills/a/SKILL.md', head('a'))
    put('home/skills/a/SKILL.md', head('a'))
    const { skills, untrusted } = await scan({ trusted: false })
    expect(skills.map(({ owner }) => owner)).toEqual(['user'])
    expect(untrusted).toEqual([join(base, 'ws/.claude/skills')])
  })
})

describe('skills must be in places the agent cannot write', () => {
  test.each([
    ['its folder', 'ws/.writ/skills/a', 'ws/elsewhere/a'],
    ['the file itself', 'ws/.writ/skills/a/SKILL.md', 'ws/elsewhere/a/SKILL.md'],
    ['the folder of skills', 'ws/.writ/skills', 'ws/elsewhere'],
    ['the folder above', 'ws/.writ', 'ws/up'],
  ])('%s leading elsewhere is refused', async (_, link, target) => {
    put('ws/elsewhere/a/SKILL.md', head('a'))
    put('ws/up/skills/a/SKILL.md', head('a'))
    mkdirSync(dirname(join(base, link)), { recursive: true })
    symlinkSync(join(base, target), join(base, link))
    const { skills, warnings } = await scan()
    expect(skills).toEqual([])
    expect(warnings).toEqual([expect.stringContaining(join(base, target))])
  })

  test('a link within the folder of skills is fine', async () => {
    put('ws/.writ/skills/a/SKILL.md', head('a'))
    symlinkSync('../a/SKILL.md', join(base, 'ws/.writ/skills/a/other.md'))
    symlinkSync('a', join(base, 'ws/.writ/skills/b'))
    expect(await names()).toEqual(['a'])
  })

  test('a skill replaced by a link after the scan is not loaded', async () => {
    put('ws/.writ/skills/a/SKILL.md', head('a'))
    put('ws/evil.md', head('a'))
    const [skill] = (await scan()).skills
    rmSync(join(base, 'ws/.writ/skills/a/SKILL.md'))
    symlinkSync(join(base, 'ws/evil.md'), join(base, 'ws/.writ/skills/a/SKILL.md'))
    if (skill === undefined) throw new Error('the skill was not found')
    await expect(loadSkill(skill)).rejects.toMatchObject({ code: 'SKILL_UNREADABLE' })
  })
})

describe('a bad file is a warning, and the others still work', () => {
  test.each([
    ['no head', 'just text', 'SKILL.md:1'],
    ['no name', '---\ndescription: x\n---\n', '`name`'],
    ['a name that is a path', '---\nname: ../x\ndescription: x\n---\n', '`name`'],
    ['a name that is too long', head('x'.repeat(65)), '`name`'],
    ['no description', '---\nname: x\n---\n', '`description`'],
    ['a description that is too long', `---\nname: x\ndescription: ${'x'.repeat(1025)}\n---\n`, '`description`'],
    ['an anchor', '---\nname: &x y\n---\n', 'SKILL.md:2'],
    ['too much text', head('x') + 'x'.repeat(200_000), '131072 bytes'],
    ['bytes that are no text', Buffer.from([0x2d, 0x2d, 0x2d, 0xff, 0xfe]), 'UTF-8'],
  ])('%s', async (_, content, said) => {
    put('ws/.writ/skills/bad/SKILL.md', content)
    put('ws/.writ/skills/good/SKILL.md', head('good'))
    const { skills, warnings } = await scan()
    expect(skills.map(({ name }) => name)).toEqual(['good'])
    expect(warnings).toEqual([expect.stringContaining(said)])
  })

  test('a folder in place of the file', async () => {
    put('ws/.writ/skills/bad/SKILL.md/x', 'x')
    expect(await scan()).toEqual({
      skills: [],
      warnings: [expect.stringContaining('not a regular file')],
      untrusted: [],
    })
  })

  test('a link to itself', async () => {
    mkdirSync(join(base, 'ws/.writ/skills/bad'), { recursive: true })
    symlinkSync('SKILL.md', join(base, 'ws/.writ/skills/bad/SKILL.md'))
    expect(await scan()).toEqual({ skills: [], warnings: [expect.stringContaining('ELOOP')], untrusted: [] })
  })

  test('a description is one line, whatever the file contains', async () => {
    put('ws/.writ/skills/a/SKILL.md', '---\nname: a\ndescription: |\n  one\n  [3] two\n---\n')
    expect((await scan()).skills[0]?.description).toBe('one [3] two')
  })
})

describe('S1-137: two levels', () => {
  test('the list has no instructions; they are read on use', async () => {
    put('ws/.writ/skills/a/SKILL.md', head('a'))
    const { skills } = await scan()
    expect(JSON.stringify(skills)).not.toContain('Do it so')
    put('ws/.writ/skills/a/SKILL.md', head('a').replace('Do it so.', 'Do it otherwise.'))
    const [skill] = skills
    if (skill === undefined) throw new Error('the skill was not found')
    expect(await loadSkill(skill)).toBe('Do it otherwise.')
    rmSync(skill.folder, { recursive: true })
    await expect(loadSkill(skill)).rejects.toMatchObject({ code: 'SKILL_UNREADABLE' })
  })
})

describe('allowed-tools', () => {
  const allowedBy = async (value: string) => {
    put('ws/.writ/skills/a/SKILL.md', head('a', `allowed-tools:${value}\n`))
    return (await scan()).skills[0]?.allowedTools
  }
  test.each([
    [' file_read, git', ['file_read', 'git']],
    [' file_read git', ['file_read', 'git']],
    [' [file_read, "git"]', ['file_read', 'git']],
    ['\n  - file_read\n  - git', ['file_read', 'git']],
    [' Read, Grep, Bash', ['file_read', 'file_search', 'shell']],
    [' Read, Bash(git add:*), constructor', ['file_read', 'constructor']],
    ['', []],
    ['\n  nested: map', []],
  ])('%j', async (value, tools) => {
    expect(await allowedBy(value)).toEqual(tools)
  })

  test('S1-29: two skills together allow the tools of both; one without a list allows all', () => {
    const tools = ['file_read', 'git', 'shell']
    expect(narrowedBy([], tools)).toEqual(tools)
    expect(narrowedBy([{}], tools)).toEqual(tools)
    const reader = { allowedTools: ['file_read', 'ghost'] }
    expect(narrowedBy([reader], tools)).toEqual(['file_read'])
    expect(narrowedBy([reader, { allowedTools: ['git'] }], tools)).toEqual(['file_read', 'git'])
    expect(narrowedBy([reader, {}], tools)).toEqual(tools)
    expect(narrowedBy([{ allowedTools: [] }], tools)).toEqual([])
  })

  test('no skill adds a tool', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'))
    const skill = fc.option(list).map((tools) => (tools === null ? {} : { allowedTools: tools }))
    fc.assert(
      fc.property(fc.array(skill), skill, list, (skills, another, tools) => {
        expect(tools).toEqual(expect.arrayContaining(narrowedBy([...skills, another], tools)))
      }),
    )
  })
})
