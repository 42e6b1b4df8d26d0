import { beforeAll, expect, it } from 'vitest'
import { cuttable } from '../../client/test/cuttable.ts'
import { startService } from '../../server/test/harness.ts'
import { openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

it('a page that cannot be loaded is told inside the console, and comes when it can', async () => {
  const { url, token } = await startService()
  const cable = await cuttable(url)
  const { page } = await openConsole(cable.url, token)
  const main = page.getByRole('navigation', { name: 'Main' })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  cable.down()
  await main.getByRole('link', { name: 'Prompts', exact: true }).click()
  await page.getByText('This page could not be loaded').waitFor()
  expect(await main.isVisible()).toBe(true)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.click()
  await page.getByText('This page could not be loaded').waitFor()
  cable.up()
  await again.click()
  await page.getByText('No templates yet').waitFor()
  expect(new URL(page.url()).pathname).toBe('/prompts')
})
