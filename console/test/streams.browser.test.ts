import { beforeAll, expect, it } from 'vitest'
import { cuttable } from '../../client/test/cuttable.ts'
import { answering, asking, call, cautious } from '../../server/test/cautious-stage.ts'
import { echoTool } from '../../server/test/echo-tool.ts'
import { stage } from '../../server/test/stage.ts'
import { openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

const words = Array.from({ length: 60 }, (_, n) => `word${n} `)
const slowly = { deltas: words, delay: 60 }
const whole = words.join('').trim()

it('a reload in mid-stream follows the reply that is being written', async () => {
  const { url, token, agent, provider } = await stage(slowly)
  const { page, problems } = await openConsole(url, token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${url}/agents/${agent}`)
  await page.getByLabel('Message', { exact: true }).fill('Tell me')
  await page.keyboard.press('Enter')
  await page.getByText('word3').waitFor()
  expect(page.url()).toContain('conversation=cnv_')
  await page.reload()
  await page.getByText('word5').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await page.getByText('word59').waitFor()
  expect((await page.getByRole('article', { name: 'Reply' }).locator('.markdown').textContent())?.trim()).toBe(whole)
  expect(await page.getByRole('article', { name: 'Reply' }).count()).toBe(1)
  expect(provider.requests).toHaveLength(1)
  expect(problems).toEqual([])
})

it('a lost connection is told and made again, with nothing of the reply missing', async () => {
  const { url, token, agent } = await stage(slowly)
  const cable = await cuttable(url)
  const { page } = await openConsole(cable.url, token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${cable.url}/agents/${agent}`)
  await page.getByLabel('Message', { exact: true }).fill('Tell me')
  await page.keyboard.press('Enter')
  await page.getByText('word3').waitFor()
  cable.down()
  await page.getByText('The connection was lost. The reply goes on').waitFor()
  cable.up()
  await page.getByText('word59').waitFor()
  expect((await page.getByRole('article', { name: 'Reply' }).locator('.markdown').textContent())?.trim()).toBe(whole)
  await expect.poll(() => page.getByText('The connection was lost').count()).toBe(0)
})

it('a reply can be stopped, and says so', async () => {
  const { url, token, agent } = await stage(slowly)
  const { page } = await openConsole(url, token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${url}/agents/${agent}`)
  await page.getByLabel('Message', { exact: true }).fill('Tell me')
  await page.keyboard.press('Enter')
  await page.getByText('word3').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('The reply was stopped.').waitFor()
})

it('the steps of a reply unfold, and a failure is told in words', async () => {
  const tool = echoTool()
  const calls = [{ id: 'call_1', name: 'echo', arguments: '{"text":"forty-two"}' }]
  const service = await stage({ deltas: ['Done'] }, { features: [tool.feature] })
  await service.put(`/agents/${service.agent}`, { tools: [await tool.create(service)] })
  service.provider.next(
    { deltas: [], toolCalls: calls },
    { deltas: ['It said so.'] },
    { status: 400, body: { error: { message: 'No such model' } } },
  )
  const { page, problems } = await openConsole(service.url, service.token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${service.url}/agents/${service.agent}`)
  await page.getByLabel('Message', { exact: true }).fill('Say forty-two')
  await page.keyboard.press('Enter')
  await page.getByText('It said so.').waitFor()
  await page.locator('.step summary').click()
  await page.getByLabel('Result', { exact: true }).getByText('forty-two').waitFor()
  await page.getByLabel('Message', { exact: true }).fill('Again')
  await page.keyboard.press('Enter')
  await page.getByText('The reply failed.').waitFor()
  await page.getByText(/No such model/).waitFor()
  expect(problems).toEqual([])
})

it('a tool that needs approval waits for it, call by call, and survives a reload', async () => {
  const service = await cautious()
  service.provider.next({ ...asking, toolCalls: [call('call_a', 'first'), call('call_b', 'second')] }, answering)
  const { page, problems } = await openConsole(service.url, service.token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${service.url}/agents/${service.agent}`)
  await page.getByLabel('Message', { exact: true }).fill('Send it')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Allow' }).nth(1).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Allow' }).first().click()
  await expect.poll(() => page.getByRole('button', { name: 'Refuse' }).count()).toBe(1)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('It is done.').waitFor()
  expect(service.calls).toEqual([{ text: 'first' }])
  await page.getByLabel('Refused').waitFor()
  expect(problems).toEqual([])
})
