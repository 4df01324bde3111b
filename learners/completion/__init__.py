"""Completion of tables with missing cells while learning: EM for numbers, data augmentation for categories."""
