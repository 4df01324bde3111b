"""PC, MMPC, Fast-IAMB and SI-HITON-PC, with the skeleton search and orientation that they share."""
