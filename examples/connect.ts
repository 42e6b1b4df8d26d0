import { existsSync, readFileSync } from 'node:fs'
// In a project of your own: import { Parley } from '@parley/client'
import { Parley } from '../client/src/index.ts'

/** Where Parley runs. */
export const url = process.env.PARLEY_URL ?? 'http://127.0.0.1:3000'
export const token = process.env.PARLEY_TOKEN ?? ownerToken()
export const parley = new Parley({ baseUrl: url, token })

/** The first start of Parley writes it into its data folder. */
function ownerToken(): string {
  const file = new URL('../data/owner-token', import.meta.url)
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new Error('No token. Start Parley with "npm start", or set PARLEY_URL and PARLEY_TOKEN.')
}
