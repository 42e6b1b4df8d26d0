import { describe, expect, it } from 'vitest'
import { chooseTool, type Tool } from './choose-tool.ts'

const tool = (
  name: string,
  description: string,
  properties: Record<string, unknown>,
  required = Object.keys(properties),
): Tool => ({ name, description, parameters: { type: 'object', properties, required } })

const text = { type: 'string' }
const currency = { type: 'string', enum: ['USD', 'EUR', 'GBP'] }

const weather = tool('get_weather', 'Current weather for a city.', { city: text, days: { type: 'integer' } }, ['city'])
const docs = tool('search_docs', 'Searches the documentation and returns passages.', { query: text })
const order = tool('orderStatus', 'Tells where an order is.', { orderId: text })
const flights = tool(
  'search_flights',
  'Finds flights between two airports on a day.',
  { from: text, to: text, date: { type: 'string', format: 'date' }, passengers: { type: 'integer', minimum: 1 } },
  ['from', 'to', 'date'],
)
const convert = tool('convert_currency', 'Converts money.', {
  amount: { type: 'number' },
  from: currency,
  to: currency,
})
const customer = tool('lookup_customer', 'Finds a customer by e-mail.', { email: { ...text, format: 'email' } })
const calculator = tool('calculator', 'Evaluates an arithmetic expression.', { expression: text })
const closing = tool('delete_account', 'Deletes the account of the user.', {})
const all = [weather, docs, order, flights, convert, customer, calculator, closing]

describe('the choice of a tool', () => {
  it.each([
    ['What is the weather in Paris?', 'get_weather', { city: 'Paris' }],
    ['weather in new york', 'get_weather', { city: 'new york' }],
    ['Weather in Oslo for 3 days', 'get_weather', { city: 'Oslo', days: 3 }],
    ['What is the weather Anna has around Oslo?', 'get_weather', { city: 'Oslo' }],
    ['Weather in Oslo in 1999', 'get_weather', { city: 'Oslo' }],
    ['Where is my order #A-1234?', 'orderStatus', { orderId: 'A-1234' }],
    ['Where is order 99812?', 'orderStatus', { orderId: '99812' }],
    [
      'Find flights from Berlin to New York on March 2nd, 2026 for 3 passengers',
      'search_flights',
      { from: 'Berlin', to: 'New York', date: '2026-03-02', passengers: 3 },
    ],
    ['Flights from Rome to Oslo on 24.12.2026', 'search_flights', { from: 'Rome', to: 'Oslo', date: '2026-12-24' }],
    ['Convert 1,250.50 USD to EUR', 'convert_currency', { amount: 1250.5, from: 'USD', to: 'EUR' }],
    ['Find the customer jane.doe@example.com', 'lookup_customer', { email: 'jane.doe@example.com' }],
    ['What is 3 * (4 + 5)?', 'calculator', { expression: '3 * (4 + 5)' }],
    ['Delete my account', 'delete_account', {}],
  ])('for %j is %s', (message, name, values) => {
    expect(chooseTool(message, all)).toEqual({ name, arguments: values })
  })

  it.each([
    'How does the retention of data work?',
    'Wie lange werden Daten gespeichert?',
    '数据保存多久？',
    'How do I delete my account?',
    'Find flights from Berlin to New York',
    'Flights from Berlin to Oslo on 31.02.2026',
    'Tell me about whales',
  ])('for %j is the knowledge search with the unchanged message', (message) => {
    expect(chooseTool(` ${message}\n`, all)).toEqual({ name: 'search_docs', arguments: { query: message } })
  })

  it('is null if no tool fits or a required argument is missing', () => {
    expect(chooseTool('What is the capital of France?', [weather, order, convert])).toBeNull()
    expect(chooseTool('What is the weather like?', [weather])).toBeNull()
    expect(chooseTool('Where is my order?', [order])).toBeNull()
    expect(chooseTool('How do I delete my account?', [closing])).toBeNull()
    expect(chooseTool('What is the current president of France?', [weather])).toBeNull()
    expect(chooseTool('the of and', all)).toBeNull()
    const holidays = tool('list_holidays', 'Lists the holidays.', {})
    expect(chooseTool('Which holidays are there?', [holidays])?.name).toBe('list_holidays')
    const story = 'My cat climbed on the roof during the holidays, ate a raw fish and scared our neighbour'
    expect(chooseTool(story, [holidays])).toBeNull()
    expect(chooseTool('Anything?', [])).toBeNull()
  })

  it('among searches is the one about the topic', () => {
    const handbook = tool('handbook', 'Answers questions about holidays from the handbook.', { question: text })
    const manual = tool('manual', 'Answers questions about printers from the manual.', { question: text })
    expect(chooseTool('How many holidays do I have?', [manual, handbook])?.name).toBe('handbook')
    expect(chooseTool('How do I clean printers?', [handbook, manual])?.name).toBe('manual')
    expect(chooseTool('What is for lunch?', [manual, handbook])?.name).toBe('manual')
  })

  it('does not pass questions to tools that need a query language', () => {
    const sql = tool('run', 'Runs a SQL query and finds documents.', { query: text })
    const translate = tool('translate', 'Translates a text.', { text, language: { type: 'string', enum: ['French'] } })
    expect(chooseTool('How many users are there?', [sql, translate])).toBeNull()
  })

  it('fills in enums, booleans, lists, defaults and quoted text', () => {
    const create = tool('issue_search', 'Lists issues.', {
      state: { type: 'string', enum: ['open', 'closed'], default: 'open' },
      labels: { type: 'array', items: { type: 'string', enum: ['bug', 'good_first_issue'] } },
      title: text,
      urgent: { type: 'boolean', default: false },
    })
    expect(
      chooseTool('Closed urgent issues that are bugs and a good first issue, called "Broken door"', [create]),
    ).toEqual({
      name: 'issue_search',
      arguments: { state: 'closed', labels: ['bug', 'good_first_issue'], title: 'Broken door', urgent: true },
    })
    expect(chooseTool('List the bug issues called "Door"', [create])?.arguments).toEqual({
      state: 'open',
      labels: ['bug'],
      title: 'Door',
      urgent: false,
    })
  })

  it('truncates a long message to the maximum of the tool', () => {
    const short = tool('search_docs', 'Searches documents.', { query: { type: 'string', maxLength: 10 } })
    expect(chooseTool('What is the meaning of it all?', [short])?.arguments).toEqual({ query: 'What is th' })
  })

  it('accepts invalid schemas', () => {
    const broken: Tool[] = [
      { name: 'weather', description: 'weather', parameters: {} },
      { name: 'weather_b', description: '', parameters: { properties: null, required: 'city' } },
      { name: 'weather_c', description: '', parameters: { properties: { a: null, b: 7 }, required: ['zzz'] } },
      {
        name: 'weather_d',
        description: '',
        parameters: { properties: { a: { type: ['string', 'null'], enum: [null, {}] } } },
      },
    ]
    expect(chooseTool('How is the weather?', broken)).toEqual({ name: 'weather', arguments: {} })
  })
})
