// The order desk itself: customers, orders and the last receipt, all in memory.

export interface Order {
  customer: string;
  items: string[];
  currency: string;
  note?: string;
}

export interface Receipt {
  transcript: string;
  tools: number;
}

const maxDrafts = 100;

// What the desk knows about its customers. The keys are written as people say them.
const customerNotes: ReadonlyMap<string, string> = new Map([
  ["acme", "Acme Supplies — pays in EUR; deliveries on Tuesdays only."],
  ["müller", "Müller & Söhne — asks for a written quote before every order."],
]);

export const defaultCurrency = "EUR";

export class Desk {
  readonly orders: Order[] = [];
  readonly drafts: string[] = [];
  lastReceipt: Receipt | undefined;

  create(order: Order): void {
    this.orders.push(order);
  }

  /** Deletes the newest orders, and says how many there were to delete. */
  deleteNewest(count: number): number {
    return this.orders.splice(Math.max(0, this.orders.length - count)).length;
  }

  /** Keeps what was asked for until someone turns it into an order. */
  draft(request: string): void {
    this.drafts.push(request);
    if (this.drafts.length > maxDrafts) this.drafts.shift();
  }

  /** Accounts renames a closed customer to "blocked", so nobody may order under that name. */
  isBlocked(customer: string): boolean {
    return customer.trim().toLowerCase() === "blocked";
  }

  /** The note on the first customer whom the text mentions. */
  noteOnMentionedCustomer(text: string): string | undefined {
    const said = text.toLowerCase();
    for (const [name, note] of customerNotes) {
      if (said.includes(name)) return note;
    }
    return undefined;
  }
}
