import { beforeAll, expect, it } from 'vitest'
import { evaluating } from '../../server/test/evaluating.ts'
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
    const { url, token, agent, post, get, talk, say } = await stage(
      { deltas: ['**Yes**, with [a link](https://a.example).'] },
      { environment: { RATE_LIMIT: '0', EGRESS_ALLOW: '127.0.0.1' } },
    )
    const template = (await post('/prompt-templates', { name: 'Tutor', template: 'As {{persona}}.' })).body.data.id
    const conversation = await talk()
    await say(conversation, 'Is it so?')
    const { create, run, ended } = evaluating({ post, get })
    const evaluation = await create({
      name: 'Answers',
      type: 'agent',
      target_id: agent,
      test_cases: [{ input: 'Is it so?', expected_output: 'Yes' }, { input: 'Why?' }],
      scorers: [{ type: 'similarity' }, { type: 'contains', config: { values: ['Yes'] } }],
    })
    const first = await run(evaluation)
    await ended(evaluation, first)
    await ended(evaluation, await run(evaluation))
    const hook = { url: 'http://127.0.0.1:1/hook', events: ['*'], description: 'To the CRM' }
    const webhook = (await post('/webhooks', hook)).body.data.id
    await post(`/webhooks/${webhook}/test`)
    await post('/usage/thresholds', { name: 'Monthly', metric: 'cost', limit: 1, window: 'month', action: 'block' })
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
      ['/evaluations', 'Scored by'],
      ['/evaluations?new=yes', 'First question'],
      [`/evaluations/${evaluation}?compare=${first}`, 'Compared with the other run'],
      [`/evaluations/${evaluation}?tab=cases`, 'Expected'],
      [`/evaluations/${evaluation}?tab=cases&import=yes`, 'Or paste them'],
      [`/evaluations/${evaluation}?tab=setup`, 'Good enough from'],
      ['/usage', 'Cost a day'],
      ['/analytics', 'How long an answer takes'],
      ['/webhooks', 'To the CRM'],
      ['/webhooks?new=yes', 'Create webhook'],
      [`/webhooks/${webhook}`, 'webhook.test'],
      ['/settings', 'Access tokens'],
      ['/settings?tab=workspaces', 'Workspaces are worlds apart'],
      ['/settings?tab=audit', 'Who changed what'],
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
  180_000,
)
