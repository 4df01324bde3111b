"""PC, MMPC, Fast-IAMB, SI-HITON-PC, and what all learners that test share: skeleton search and orientation."""
