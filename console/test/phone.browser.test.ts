import { beforeAll, expect, it } from 'vitest'
import { stage } from '../../server/test/stage.ts'
import { openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

it('on a phone one gets from an agent’s settings to talking with it, and stays there', async () => {
  const { url, token, agent } = await stage({ deltas: ['Good', ' morning'] })
  const { page, problems } = await openConsole(url, token, { viewport: { width: 390, height: 800 } })
  await page.goto(`${url}/agents/${agent}`)
  const message = page.getByPlaceholder(/^Message/)
  expect(await isInView()).toBe(false)
  await page.getByRole('button', { name: 'Talk to it' }).click()
  await message.fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Good morning').waitFor()
  await page.waitForURL(/conversation=cnv_/)
  expect(await isInView()).toBe(true)
  expect(problems).toEqual([])

  async function isInView(): Promise<boolean> {
    await message.waitFor()
    const { y = -1 } = (await message.boundingBox()) ?? {}
    return y > 0 && y < 800
  }
})
