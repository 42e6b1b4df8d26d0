/** A question about one of the tables below. They were written after the templates. docs/tables.md has the figures of the first run. */
interface HeldOutQuestion {
  question: string
  /** Gold SQL, in which `{table}` stands for the name of the table. */
  sql: string
  /** The values of the result in their order, row by row. */
  answer: (string | number)[]
  /** The rows that it rests on, from 1. */
  rows: number[]
}

interface HeldOutTable {
  title: string
  text: string
  questions: HeldOutQuestion[]
}

const table = (
  title: string,
  lines: string,
  questions: [string, string, (string | number)[], number[]][],
): HeldOutTable => {
  const [head = '', ...rows] = lines
    .trim()
    .split('\n')
    .map((line) => `| ${line.trim()} |`)
  const separator = `|${' --- |'.repeat(head.split('|').length - 2)}`
  return {
    title,
    text: [head, separator, ...rows].join('\n'),
    questions: questions.map(([question, sql, answer, cited]) => ({ question, sql, answer, rows: cited })),
  }
}

export const heldOut: HeldOutTable[] = [
  table(
    'Library branches',
    `Branch | Loans | Visitors | Opened
    Riverside | 1,240 | 3,100 | 1998-05-02
    Hilltop | 860 | 1,900 | 2004-09-14
    Old Town | 2,015 | 5,400 | 1965-03-20
    Harbour | 640 | 1,250 | 2011-11-01
    Eastgate | 1,240 | 2,700 | 1987-01-15
    Total | 5,995 | 14,350 |`,
    [
      [
        'How many loans were there in total?',
        'SELECT sum(loans) FROM {table} WHERE rowid < 6',
        [5995],
        [1, 2, 3, 4, 5],
      ],
      [
        'How many branches does the library have?',
        'SELECT count(*) FROM {table} WHERE rowid < 6',
        [5],
        [1, 2, 3, 4, 5],
      ],
      [
        'Which branch had the most visitors?',
        'SELECT branch, visitors FROM {table} WHERE rowid < 6 ORDER BY visitors DESC LIMIT 1',
        ['Old Town', 5400],
        [3],
      ],
      [
        'Which branch had the fewest loans?',
        'SELECT branch, loans FROM {table} ORDER BY loans LIMIT 1',
        ['Harbour', 640],
        [4],
      ],
      [
        'What is the average number of visitors per branch?',
        'SELECT avg(visitors) FROM {table} WHERE rowid < 6',
        [2870],
        [1, 2, 3, 4, 5],
      ],
      [
        'Which is the oldest branch?',
        'SELECT branch, opened FROM {table} WHERE opened IS NOT NULL ORDER BY opened LIMIT 1',
        ['Old Town', '1965-03-20'],
        [3],
      ],
      [
        'How many branches had more than 1,000 loans?',
        'SELECT count(*) FROM {table} WHERE rowid < 6 AND loans > 1000',
        [3],
        [1, 3, 5],
      ],
      ['How many loans did the Hilltop branch have?', "SELECT loans FROM {table} WHERE branch = 'Hilltop'", [860], [2]],
    ],
  ),
  table(
    'Expedition costs',
    `Item | Category | Amount | Paid
    Tents | Equipment | $1,480.00 | yes
    Ropes | Equipment | $620.50 | yes
    Flights | Travel | $3,900.00 | yes
    Train | Travel | $240.00 | no
    Food | Supplies | $815.25 | no
    Medicine | Supplies | $199.75 | yes`,
    [
      ['What did the expedition cost altogether?', 'SELECT sum(amount) FROM {table}', [7255.5], [1, 2, 3, 4, 5, 6]],
      [
        'What is the total amount for travel?',
        "SELECT sum(amount) FROM {table} WHERE category = 'Travel'",
        [4140],
        [3, 4],
      ],
      [
        'What was the most expensive item of the expedition?',
        'SELECT item, amount FROM {table} ORDER BY amount DESC LIMIT 1',
        ['Flights', 3900],
        [3],
      ],
      [
        'Which item was the cheapest?',
        'SELECT item, amount FROM {table} ORDER BY amount LIMIT 1',
        ['Medicine', 199.75],
        [6],
      ],
      ['How many items are not paid?', 'SELECT count(*) FROM {table} WHERE NOT paid', [2], [4, 5]],
      [
        'How many categories of costs are there?',
        'SELECT count(DISTINCT category) FROM {table}',
        [3],
        [1, 2, 3, 4, 5, 6],
      ],
      [
        'What is the sum of the amounts by category?',
        'SELECT category, sum(amount) FROM {table} GROUP BY category ORDER BY 2 DESC',
        ['Travel', 4140, 'Equipment', 2100.5, 'Supplies', 1015],
        [1, 2, 3, 4, 5, 6],
      ],
      [
        'What is the average amount of the equipment?',
        "SELECT avg(amount) FROM {table} WHERE category = 'Equipment'",
        [1050.25],
        [1, 2],
      ],
      ['How much do we still have to pay?', 'SELECT sum(amount) FROM {table} WHERE NOT paid', [1055.25], [4, 5]],
    ],
  ),
  table(
    'Fahrräder',
    `Modell | Hersteller | Preis | Gewicht
    Kranich | Velora | 1.299,00 € | 12,4
    Fuchs | Velora | 899,50 € | 14,1
    Dachs | Tramper | 2.150,00 € | 18,9
    Igel | Tramper | 749,00 € | 15,2
    Reiher | Nordrad | 1.849,90 € | 10,8`,
    [
      [
        'Welches Modell ist das teuerste?',
        'SELECT modell, preis FROM {table} ORDER BY preis DESC LIMIT 1',
        ['Dachs', 2150],
        [3],
      ],
      [
        'Welches der Fahrräder ist das leichteste?',
        'SELECT modell, gewicht FROM {table} ORDER BY gewicht LIMIT 1',
        ['Reiher', 10.8],
        [5],
      ],
      [
        'Wie viele Fahrräder gibt es von Tramper?',
        "SELECT count(*) FROM {table} WHERE hersteller = 'Tramper'",
        [2],
        [3, 4],
      ],
      [
        'Was ist der durchschnittliche Preis der Fahrräder?',
        'SELECT avg(preis) FROM {table}',
        [1389.48],
        [1, 2, 3, 4, 5],
      ],
      [
        'Wie viele verschiedene Hersteller gibt es?',
        'SELECT count(DISTINCT hersteller) FROM {table}',
        [3],
        [1, 2, 3, 4, 5],
      ],
      ['Was kosten alle Fahrräder zusammen?', 'SELECT sum(preis) FROM {table}', [6947.4], [1, 2, 3, 4, 5]],
      [
        'Wie viele Modelle kosten weniger als 1000 Euro?',
        'SELECT count(*) FROM {table} WHERE preis < 1000',
        [2],
        [2, 4],
      ],
      [
        'Welches Modell von Velora ist das günstigste?',
        "SELECT modell, preis FROM {table} WHERE hersteller = 'Velora' ORDER BY preis LIMIT 1",
        ['Fuchs', 899.5],
        [2],
      ],
    ],
  ),
  table(
    'Stops of tram line 4',
    `Stop | Zone | Minutes from the start | Step-free
    Depot | A | 0 | yes
    Mill Lane | A | 3 | no
    Castle | A | 7 | yes
    Market Square | B | 11 | yes
    University | B | 16 | no
    Stadium | C | 22 | yes
    Airport | C | 31 | yes`,
    [
      [
        'Which stop comes after Castle?',
        "SELECT stop FROM {table} WHERE rowid = (SELECT rowid FROM {table} WHERE stop = 'Castle') + 1",
        ['Market Square'],
        [4],
      ],
      [
        'What is the stop before University?',
        "SELECT stop FROM {table} WHERE rowid = (SELECT rowid FROM {table} WHERE stop = 'University') - 1",
        ['Market Square'],
        [4],
      ],
      ['How many stops are in zone B?', "SELECT count(*) FROM {table} WHERE zone = 'B'", [2], [4, 5]],
      [
        'How many stops of the tram are step-free?',
        'SELECT count(*) FROM {table} WHERE step_free',
        [5],
        [1, 3, 4, 6, 7],
      ],
      ['How many stops does tram line 4 have?', 'SELECT count(*) FROM {table}', [7], [1, 2, 3, 4, 5, 6, 7]],
      [
        'What is the last stop of tram line 4?',
        'SELECT stop FROM {table} ORDER BY rowid DESC LIMIT 1',
        ['Airport'],
        [7],
      ],
      [
        'How many stops are there in each zone?',
        'SELECT zone, count(*) FROM {table} GROUP BY zone',
        ['A', 3, 'B', 2, 'C', 2],
        [1, 2, 3, 4, 5, 6, 7],
      ],
      [
        'Which zone has the most stops?',
        'SELECT zone, count(*) FROM {table} GROUP BY zone ORDER BY 2 DESC LIMIT 1',
        ['A', 3],
        [1, 2, 3],
      ],
    ],
  ),
  table(
    'Rainfall March',
    `Station | Millimetres | Rainy days
    Corran | 88 | 14
    Balla | 61.5 | 11
    Inver | 102 | 17`,
    [
      [
        'What was the total rainfall in millimetres in March?',
        'SELECT sum(millimetres) FROM {table}',
        [251.5],
        [1, 2, 3],
      ],
      [
        'Which station had the most rainy days in March?',
        'SELECT station, rainy_days FROM {table} ORDER BY rainy_days DESC LIMIT 1',
        ['Inver', 17],
        [3],
      ],
      [
        'What was the average rainfall in millimetres in March?',
        'SELECT avg(millimetres) FROM {table}',
        [83.8333333333],
        [1, 2, 3],
      ],
    ],
  ),
  table(
    'Rainfall April',
    `Station | Millimetres | Rainy days
    Corran | 70 | 12
    Balla | 45 | 9
    Inver | 95.5 | 15`,
    [
      [
        'Which station had the lowest rainfall in millimetres in April?',
        'SELECT station, millimetres FROM {table} ORDER BY millimetres LIMIT 1',
        ['Balla', 45],
        [2],
      ],
      ['How many rainy days were there altogether in April?', 'SELECT sum(rainy_days) FROM {table}', [36], [1, 2, 3]],
      [
        'How many stations had more than 60 millimetres in April?',
        'SELECT count(*) FROM {table} WHERE millimetres > 60',
        [2],
        [1, 3],
      ],
      ['What did Corran get in April?', "SELECT millimetres FROM {table} WHERE station = 'Corran'", [70], [1]],
    ],
  ),
]

/** No table answers these alone, so a template that does is wrong. */
export const unanswerable: string[] = [
  'What was the total rainfall in millimetres?',
  'Which station had the most rainy days?',
  'How many books does the average visitor borrow?',
  'Who was the oldest member of the expedition?',
]
