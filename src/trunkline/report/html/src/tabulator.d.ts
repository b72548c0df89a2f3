declare module "tabulator-tables";
