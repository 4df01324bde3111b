"""Results as pictures: component data, figures, tables and sentences, without Streamlit calls."""
