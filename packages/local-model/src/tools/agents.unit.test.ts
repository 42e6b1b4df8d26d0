import { describe, expect, it } from 'vitest'
import { chooseAgents, chooseHandoff } from './agents.ts'
import type { Tool } from './choose-tool.ts'

const agent = (name: string, description: string): Tool => ({
  name,
  description,
  parameters: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
})

const handoff = (name: string, description: string): Tool => ({
  name: `transfer_to_${name}`,
  description: `Passes the conversation on to the agent "${name}", which then answers the user. ${description}`,
  parameters: { type: 'object', properties: { reason: { type: 'string' } } },
})

describe('other agents', () => {
  const delivery = agent('Delivery', 'Knows delivery times and costs.')
  const returns = agent('Refunds', 'Knows how money is paid back.')

  it('are asked if the words of the message fit, all of them with the whole message', () => {
    const message = 'What about delivery and refunds?'
    expect(chooseAgents(message, [delivery, returns])).toEqual([
      { name: 'Delivery', arguments: { message } },
      { name: 'Refunds', arguments: { message } },
    ])
    expect(chooseAgents('How do refunds work?', [delivery, returns]).map(({ name }) => name)).toEqual(['Refunds'])
    expect(chooseAgents('Tell me a joke', [delivery, returns])).toEqual([])
  })

  it('get the conversation if they fit, also if it is a question', () => {
    const tools = [handoff('Billing', 'Knows invoices and payments.'), handoff('Sales', 'Sells things.')]
    const message = 'Why is my invoice so high, and which payments are missing?'
    expect(chooseHandoff(message, tools)).toEqual({ name: 'transfer_to_Billing', arguments: { reason: message } })
    expect(chooseHandoff('Who answers the user?', tools)).toBeNull()
  })
})
