import { beforeAll, expect, it } from 'vitest'
import { stage } from '../../server/test/stage.ts'
import { barriers, openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
] as const)(
  'no page keeps anybody out (%s, %d wide)',
  async (colorScheme, width) => {
    const { url, token, agent, post, talk, say } = await stage({
      deltas: ['**Yes**, with [a link](https://a.example).'],
    })
    const template = (await post('/prompt-templates', { name: 'Tutor', template: 'As {{persona}}.' })).body.data.id
    const conversation = await talk()
    await say(conversation, 'Is it so?')
    const { page, problems } = await openConsole(url, null, { colorScheme, viewport: { width, height: 800 } })
    await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
    const found = await barriers(page, 'sign-in')
    await page.evaluate(`sessionStorage.setItem('parley-token', ${JSON.stringify(token)})`)
    const pages: [path: string, text: string | RegExp][] = [
      ['/', 'Recent conversations'],
      ['/agents', 'Agents'],
      [`/agents/${agent}?conversation=${conversation}`, /\d+ tokens/],
      ['/prompts', 'Tutor'],
      [`/prompts/${template}`, 'Preview'],
      ['/models', 'Local extractive'],
      ['/models?new=yes', 'Connect a model'],
      ['/conversations', 'Is it so?'],
      [`/conversations/${conversation}`, /\d+ tokens/],
      ['/usage', 'Cost a day'],
      ['/settings', 'Access tokens'],
      ['/settings?tab=workspaces', 'Workspaces are worlds apart'],
      ['/nowhere', 'There is no such page'],
    ]
    for (const [path, text] of pages) {
      await page.goto(`${url}${path}`)
      if (path === '/agents') await page.getByRole('link', { name: 'A', exact: true }).waitFor()
      else await page.getByText(text).first().waitFor()
      found.push(...(await barriers(page, path)))
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      if (overflow !== 0) found.push(`${path} is ${overflow} pixels too wide`)
    }
    expect(found).toEqual([])
    expect(problems).toEqual([])
  },
  120_000,
)
