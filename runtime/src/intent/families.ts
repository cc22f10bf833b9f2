/**
 * Which family a tool belongs to. A declared family wins; otherwise (an MCP server's tool, say) the words of its name
 * decide. The rows are in order of precedence: the first that fits decides; if none fits, the family is `unknown`.
 */
import { identifierWords } from '../language/words.ts'
import type { ToolFamily } from '../protocol/intent.ts'

interface NamePattern {
  family: Exclude<ToolFamily, 'unknown'>
  /** Any of these words in the name is enough. */
  any: string
  /** Or a word of each of these: one alone is too vague. */
  both?: readonly [string, string]
}

export const FAMILY_PATTERNS: readonly NamePattern[] = [
  {
    family: 'browser',
    any: 'browser playwright puppeteer selenium webdriver chrome chromium firefox cdp navigate',
    both: [
      'click open goto visit scroll screenshot fill type hover snapshot back close reload',
      'page tab element selector form website link',
    ],
  },
  { family: 'memory', any: 'memory memories remember recall forget memorize mem0' },
  {
    family: 'vcs',
    any: 'git svn hg commit commits rebase branch branches blame stash worktree github gitlab bitbucket gitea',
    both: ['pull merge push clone diff fork', 'request requests repo repository remote staged unstaged'],
  },
  {
    family: 'shell',
    any: 'shell bash zsh sh terminal powershell cmd exec command commands subprocess ssh',
    both: ['run execute spawn kill start stop', 'process script code python program'],
  },
  {
    family: 'task',
    any: 'task tasks todo todos routine routines explore plan agent subagent delegate scout reminder schedule cron workflow',
    both: ['report submit', 'findings result progress'],
  },
  {
    family: 'filesystem',
    any: 'file files filesystem fs directory directories dir folder folders path paths glob grep ripgrep ls cat mkdir rm mv cp chmod zip unzip pdf csv patch notebook workspace',
    both: [
      'read write edit list move copy delete create search open make append',
      'doc docs document documents text image media tree lines spreadsheet sheet',
    ],
  },
  {
    family: 'network',
    any: 'http https fetch web websearch webfetch url curl wget download api rest graphql rss internet google bing brave tavily serp exa duckduckgo arxiv wikipedia weather news crawl scrape firecrawl dns ping webhook slack email mail gmail smtp telegram discord notion jira linear twitter socket ftp s3 sms request requests',
    both: ['send post', 'message messages notification'],
  },
]

const TABLE = FAMILY_PATTERNS.map(({ family, any, both }) => ({
  family,
  any: any.split(' '),
  both: both?.map((words) => words.split(' ')),
}))

export function familyOf(name: string, declared?: ToolFamily): ToolFamily {
  if (declared !== undefined) return declared
  // Whole words only: `profile_update` is not about files.
  const words = new Set(identifierWords(name, 256))
  const holds = (wanted: readonly string[]) => wanted.some((word) => words.has(word))
  return TABLE.find(({ any, both }) => holds(any) || both?.every(holds))?.family ?? 'unknown'
}
