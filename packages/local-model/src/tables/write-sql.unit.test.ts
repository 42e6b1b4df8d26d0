import { expect, it } from 'vitest'
import type { FoundTable } from './found-table.ts'
import { tableStep } from './table-step.ts'
import { asksTables, writeSql } from './write-sql.ts'

const staff: FoundTable = {
  table: 'staff',
  title: 'Employees',
  row_count: 100,
  columns: [
    { column: 'name', name: 'Name', type: 'text' },
    { column: 'city', name: 'City', type: 'text', values: ['Berlin', 'Hamburg', 'New York'] },
    { column: 'department', name: 'Department', type: 'text', values: ['Sales', 'Research'] },
    { column: 'salary', name: 'Salary', type: 'number' },
    { column: 'age', name: 'Age', type: 'number' },
    { column: 'hired', name: 'Hired', type: 'date' },
    { column: 'remote', name: 'Remote', type: 'boolean' },
  ],
}
const products: FoundTable = {
  table: 'products',
  title: 'Price list',
  row_count: 3,
  columns: [
    { column: 'product', name: 'Product', type: 'text', values: ['Lamp', 'Chair', "Miller's desk"] },
    { column: 'price', name: 'Price', type: 'number' },
  ],
}

const sql = (question: string) => writeSql(question, [products, staff])?.sql

it('counts, sums and averages with the conditions of the question', () => {
  expect(sql('How many employees are there?')).toBe('SELECT count(*) AS count FROM staff')
  expect(sql('How many employees in Sales work in New York?')).toBe(
    "SELECT count(*) AS count FROM staff WHERE city = 'New York' AND department = 'Sales'",
  )
  expect(sql('How many employees earn more than 5,000?')).toBe(
    'SELECT count(*) AS count FROM staff WHERE salary > 5000',
  )
  expect(sql('How many employees were hired in 2024?')).toBe(
    "SELECT count(*) AS count FROM staff WHERE strftime('%Y', hired) = '2024'",
  )
  expect(sql('How many employees are not remote?')).toBe('SELECT count(*) AS count FROM staff WHERE NOT remote')
  expect(sql('What is the average salary in Berlin?')).toBe(
    "SELECT avg(salary) AS average FROM staff WHERE city = 'Berlin'",
  )
  expect(sql('What is the average age per department?')).toBe(
    'SELECT department, avg(age) AS average FROM staff GROUP BY department ORDER BY average DESC',
  )
  expect(sql('Wie viele Employees gibt es in Hamburg?')).toBe(
    "SELECT count(*) AS count FROM staff WHERE city = 'Hamburg'",
  )
})

it('finds the most, the least and neighbours', () => {
  expect(sql('Who of the employees earns the most?')).toBe(
    'SELECT name, salary FROM staff WHERE salary = (SELECT max(salary) FROM staff)',
  )
  expect(sql('What is the most expensive product?')).toBe(
    'SELECT product, price FROM products WHERE price = (SELECT max(price) FROM products)',
  )
  expect(sql('Which is the cheapest product?')).toContain('min(price)')
  expect(sql('Who is the oldest employee?')).toContain('max(age)')
  expect(sql('Which employee was hired first?')).toContain('min(hired)')
  expect(sql('Which city has the most employees?')).toBe(
    'SELECT city, count(*) AS total FROM staff GROUP BY city ORDER BY total DESC LIMIT 1',
  )
  expect(sql("Which product comes after Miller's desk?")).toBe(
    "SELECT * FROM products WHERE rowid = (SELECT rowid FROM products WHERE product = 'Miller''s desk' COLLATE NOCASE LIMIT 1) + 1",
  )
})

const month = (title: string): FoundTable => ({
  table: `sales_${title}`,
  title: `Sales ${title}`,
  document: `${title}.csv`,
  row_count: 5,
  total_rows: [5],
  columns: [
    { column: 'region', name: 'Region', type: 'text', values: ['North', 'South', 'East', 'West'] },
    { column: 'revenue', name: 'Revenue', type: 'number' },
  ],
})

it('adds up or counts the column that a question counts', () => {
  const stops: FoundTable = {
    table: 'stops',
    title: 'Tram stops',
    row_count: 4,
    columns: [
      { column: 'stop', name: 'Stop', type: 'text', values: ['Depot', 'Castle', 'Market', 'Airport'] },
      { column: 'zone', name: 'Zone', type: 'text', values: ['A', 'B'] },
      { column: 'minutes', name: 'Minutes from the start', type: 'number' },
      { column: 'passengers', name: 'Passengers', type: 'number' },
    ],
  }
  const written = (question: string) => writeSql(question, [stops])?.sql
  expect(written('How many passengers did the stop Castle have?')).toBe(
    "SELECT sum(passengers) AS total FROM stops WHERE stop = 'Castle'",
  )
  expect(written('How many zones do the tram stops have?')).toBe('SELECT count(DISTINCT zone) AS count FROM stops')
  expect(written('How many stops are in zone B?')).toBe("SELECT count(*) AS count FROM stops WHERE zone = 'B'")
  expect(written('Which zone has the most stops?')).toBe(
    'SELECT zone, count(*) AS total FROM stops GROUP BY zone ORDER BY total DESC LIMIT 1',
  )
})

it('leaves rows out that sum up others', () => {
  const [january] = [month('January')]
  expect(writeSql('What is the total revenue?', [january as FoundTable])?.sql).toBe(
    'SELECT sum(revenue) AS total FROM sales_January WHERE rowid NOT IN (5)',
  )
  expect(writeSql('Which region has the highest revenue?', [january as FoundTable])?.sql).toBe(
    'SELECT region, revenue FROM sales_January WHERE revenue = (SELECT max(revenue) FROM sales_January WHERE rowid NOT IN (5)) AND rowid NOT IN (5)',
  )
})

it('names the tables that fit a question alike, instead of choosing one', () => {
  const tables = [month('January'), month('February')]
  expect(writeSql('What is the total revenue?', tables)).toBeNull()
  const names = ['find_tables', 'query_table']
  const found = [{ name: 'find_tables', content: JSON.stringify({ tables }) }]
  expect(tableStep('What is the total revenue?', names, found)).toEqual({
    text: 'Several tables fit this question. Name one of them:\n\n- Sales January (January.csv)\n- Sales February (February.csv)',
  })
  expect(writeSql('What is the total revenue in February?', tables)?.sql).toContain('FROM sales_February')
})

it('leaves questions that are about something else to other answers', () => {
  expect(asksTables('Where is the canteen?')).toBe(false)
  expect(sql('How many days of parental leave do employees get?')).toBeUndefined()
  expect(sql('What is the highest mountain of Europe?')).toBeUndefined()
  expect(sql('How many cities does the company serve tea in?')).toBeUndefined()
})
