#include "CMemcheck.h"
