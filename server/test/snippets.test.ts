import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { makePdf } from '../../packages/documents/test/documents.ts'
import { folderOfTest } from './folder.ts'
import { knowledge } from './knowledge.ts'
import { placeMigrated } from './services/sqlite.ts'
import { type Block, pages, readBlocks } from './snippets/blocks.ts'
import { checkJson } from './snippets/json.ts'
import { type Around, runPrograms } from './snippets/programs.ts'
import { runShell } from './snippets/shell.ts'
import { stage } from './stage.ts'

// Every code block of the documentation is run or checked, depending on its language.

const checked: Record<string, (block: Block) => void> = {
  json: checkJson,
  yaml: ({ code }) => {
    for (const document of parseAllDocuments(code)) if ('errors' in document) expect(document.errors).toEqual([])
  },
  /** The output of a command. */
  text: () => {},
}

const ofShell = ['sh', 'ini']
const ofPrograms = ['ts', 'tsx', 'js']

/** Declarations that snippets assume, by page. */
const around: Record<string, Around> = {
  'docs/webhooks.md': {
    before: `
      const secret = 'whsec_' + btoa('a secret of the webhook')
      const rawBody = '{"type":"webhook.test"}'
      const signed = new (await import('standardwebhooks')).Webhook(secret).sign('msg_1', new Date(), rawBody)
      const seconds = String(Math.floor(Date.now() / 1000))
      const request = { headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': signed } }`,
    after: 'process.stdout.write(event.type)',
  },
  'docs/openai.md': {
    after: `
      if (typeof POST === 'function') {
        const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
        const body = JSON.stringify({ messages })
        const stream = await (await POST(new Request('http://app', { method: 'POST', body }))).text()
        if (!stream.includes('"delta":" day"')) throw new Error(stream)
      }`,
  },
  'docs/knowledge.md': {
    after: "const scores = await score([{ query: 'a', passage: 'b' }])\nprocess.stdout.write(scores.length + ' score')",
  },
  'docs/conversations.md': {
    before: 'const { CONVERSATION: conversationId, TOKEN: token } = process.env',
  },
}

/** The role of the token that a page tells its readers to use, if it names one. */
const roles: Record<string, 'admin'> = { 'docs/embed.md': 'admin' }

/** The expected output of programs, if it is not the reply of the scripted model. */
const prints: Record<string, RegExp> = {
  'client/README.md': /^I am Parley's built-in extractive model/,
  'docs/embed.md': /^cnv_/,
  'docs/knowledge.md': /^1 score$/,
  'docs/webhooks.md': /^webhook\.test$/,
}

/** Text that the output of commands must contain. */
const shows: Record<string, RegExp> = {
  'docs/getting-started.md': /"content":"Orders can be returned within 14 days\./,
}

it.each(pages)('the code of %s works', { timeout: 300_000 }, async (page) => {
  const blocks = readBlocks(page)
  const unknown = blocks.filter(
    ({ language }) => ![...Object.keys(checked), ...ofShell, ...ofPrograms].includes(language),
  )
  expect(unknown, 'Say in this test how code of this language is checked. Output of a command is `text`.').toEqual([])
  for (const block of blocks) expect(() => checked[block.language]?.(block), `line ${block.line}`).not.toThrow()
  const commands = blocks.filter(({ language }) => ofShell.includes(language))
  const programs = blocks.filter(({ language }) => ofPrograms.includes(language))
  if (commands.length + programs.length === 0) return

  const { url, environment } = await reader(roles[page])
  const here = (block: Block): Block => ({
    ...block,
    code: block.code.replaceAll('http://127.0.0.1:3000', url).replaceAll('`/api/', `\`${url}/api/`),
  })
  if (commands.length > 0) {
    const text = await runShell(commands.map(here), await folder(environment), environment)
    expect(text).toMatch(shows[page] ?? /^/)
  }
  if (programs.length > 0) {
    for (const text of await runPrograms(programs.map(here), environment, around[page]))
      expect(text).toMatch(prints[page] ?? /^Good day/)
  }
})

/** Somebody who follows a page: a token, and one of each thing that examples use. */
async function reader(role?: 'admin'): Promise<{ url: string; environment: Record<string, string> }> {
  const here = await stage({ deltas: ['Good', ' day'] }, undefined, { name: 'Support' })
  const { make, upload } = knowledge(here)
  const SOURCE = await make({ name: 'Files', type: 'file' })
  const [{ id: DOCUMENT }] = (await upload(SOURCE, { 'plan.txt': 'Plan' }, { query: '?sync=false' })).body.data
  const { url, agent: AGENT, model: MODEL } = here
  const TOKEN = role ? await here.tokenFor(role) : here.token
  const PARLEY = {
    PARLEY_URL: url,
    PARLEY_TOKEN: TOKEN,
    OPENAI_API_KEY: 'sk-of-a-test',
    MISTRAL_API_KEY: 'key-of-a-test',
  }
  return { url, environment: { ...PARLEY, TOKEN, AGENT, MODEL, SOURCE, DOCUMENT, CONVERSATION: await here.talk() } }
}

/** The folder in which commands run: with the files that they name. */
async function folder({ TOKEN = '' }: Record<string, string>): Promise<string> {
  const path = folderOfTest()
  mkdirSync(join(path, 'data'))
  await placeMigrated(join(path, 'data'))
  writeFileSync(join(path, 'data/owner-token'), `${TOKEN}\n`)
  copyFileSync(new URL('../../cli/test/fixtures/dify-agent.yml', import.meta.url), join(path, 'app.yml'))
  writeFileSync(join(path, 'invoice.pdf'), makePdf(['The invoice is due on 1 March.']))
  return path
}
