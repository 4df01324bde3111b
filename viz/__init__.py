"""Results as pictures: component data, figures, tables and sentences. Nothing here draws on the page itself."""
